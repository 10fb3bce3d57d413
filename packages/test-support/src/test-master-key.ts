/** For `ENCRYPTION_KEY`: 32 bytes in hex. A passphrase would cost each process that starts a tenth of a second of the processor. */
export const testMasterKey = '5e'.repeat(32);
