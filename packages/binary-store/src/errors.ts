import { AppError } from '@sluice/domain';

export class BinaryNotFoundError extends AppError {
  constructor(id: string) {
    super({ code: 'BINARY_NOT_FOUND', message: `file ${id} does not exist` });
  }
}

/**
 * A failure of the storage itself. `setting` names its place; `reason` is the error code, such as
 * `ENOSPC` or `AccessDenied`. A path is in the details only: senders without a key see the message.
 */
export function storageError(setting: 'BINARY_DIR' | 'BINARY_S3_BUCKET', reason: string | undefined, cause: unknown): AppError {
  return new AppError({
    code: 'SERVICE_UNAVAILABLE',
    message: `the storage of files (${setting}) does not work: ${reason ?? 'unknown error'}`,
    kind: 'transient',
    details: pathOf(cause),
    cause,
  });
}

/** The path in an error of the file system. */
function pathOf(cause: unknown): { path: string } | undefined {
  const { path } = (cause ?? {}) as NodeJS.ErrnoException;
  return path === undefined ? undefined : { path };
}
