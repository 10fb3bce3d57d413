import { AppError, UnavailableError } from '@sluice/domain';

export class BinaryNotFoundError extends AppError {
  constructor(id: string) {
    super({ code: 'BINARY_NOT_FOUND', message: `file ${id} does not exist` });
  }
}

/**
 * A failure of the storage itself. `reason` is the error code, such as `ENOSPC` or `AccessDenied`.
 */
export function storageError(reason: string | undefined, cause: unknown): UnavailableError {
  return new UnavailableError(`the storage of files does not work: ${reason ?? 'unknown error'}`, cause);
}
