/**
 * For `ENCRYPTION_KEY`: 32 bytes in hex. A passphrase would cost each process a tenth of a second
 * of CPU time at startup.
 */
export const testMasterKey = '5e'.repeat(32);
