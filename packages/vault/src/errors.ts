import { AppError } from '@sluice/domain';

/** A stored credential that no key of the ring opens: the key is gone, or the record was altered. */
export class CredentialUnreadableError extends AppError {
  /** @param reason for the log; it says nothing of the content. */
  constructor(id: string, reason: string, cause?: unknown) {
    super({
      code: 'CREDENTIAL_UNREADABLE',
      message: `credential ${id} cannot be decrypted with the configured keys`,
      details: { id, reason },
      cause,
    });
  }
}

/** None of the given master keys is one that this installation's credentials were encrypted with. */
export class WrongEncryptionKeyError extends AppError {
  constructor(keyId: string) {
    super({
      code: 'WRONG_ENCRYPTION_KEY',
      message: `ENCRYPTION_KEY holds no key that opens this database's credentials (it wants the key with id ${keyId})`,
      details: { keyId },
    });
  }
}
