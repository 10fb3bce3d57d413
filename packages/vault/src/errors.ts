import { AppError } from '@sluice/domain';

/** No key of the ring opens a stored credential: the key is missing, or the record was altered. */
export class CredentialUnreadableError extends AppError {
  /** @param reason for the log; reveals nothing about the content. */
  constructor(id: string, reason: string, cause?: unknown) {
    super({
      code: 'CREDENTIAL_UNREADABLE',
      message: `credential ${id} cannot be decrypted with the configured keys`,
      details: { id, reason },
      cause,
    });
  }
}

/** None of the given master keys encrypted this installation's credentials. */
export class WrongEncryptionKeyError extends AppError {
  constructor(keyId: string) {
    super({
      code: 'WRONG_ENCRYPTION_KEY',
      message: `ENCRYPTION_KEY (or master.key) holds no key that opens this database's credentials: set the key with the ID ${keyId}, with which the database was started (docs/troubleshooting.md)`,
      details: { keyId },
    });
  }
}
