import { dirname } from 'node:path';
import { AppError, codeOf } from '@sluice/domain';

export class FileNotAllowedError extends AppError {
  constructor(path: string, reason = 'it is outside of the folders that nodes may use (FILES_DIR)') {
    super({ code: 'FILE_NOT_ALLOWED', message: `nodes may not use ${path}: ${reason}` });
  }
}

export class FileNotFoundError extends AppError {
  constructor(path: string) {
    super({ code: 'FILE_NOT_FOUND', message: `file ${path} does not exist` });
  }
}

/** The folder of a file to be written does not exist. */
class FolderNotFoundError extends AppError {
  constructor(folder: string, file: string) {
    super({ code: 'FILE_NOT_FOUND', message: `folder ${folder} does not exist, so ${file} cannot be written` });
  }
}

export class FileTooLargeError extends AppError {
  constructor(path: string, maxBytes: number) {
    super({ code: 'FILE_TOO_LARGE', message: `${path} exceeds, or would exceed, the limit of ${maxBytes} bytes` });
  }
}

/** Like `fileError`, for a file to be written: a missing file means that its folder is missing. */
export function writeError(error: unknown, path: string): unknown {
  const translated = fileError(error, path);
  return translated instanceof FileNotFoundError ? new FolderNotFoundError(dirname(path), path) : translated;
}

/** Translates a system error for the author of the workflow. */
export function fileError(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new FileNotFoundError(path);
    case 'EISDIR':
      return new FileNotAllowedError(path, 'it is a folder');
    case 'ELOOP':
      return new FileNotAllowedError(path, 'it is a broken link, or was changed while it was opened');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new FileNotAllowedError(path, 'the worker has no permission');
    case 'ENXIO':
      return new FileNotAllowedError(path, 'it is not a regular file');
    case 'ENAMETOOLONG':
      return new FileNotAllowedError(path, 'its name is too long');
    default:
      return error;
  }
}
