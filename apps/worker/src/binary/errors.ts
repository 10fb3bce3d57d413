import { AppError } from '@sluice/domain';

/**
 * A file, or all files of an execution, exceed a limit (`BINARY_MAX_BYTES`,
 * `BINARY_EXECUTION_MAX_BYTES`).
 */
export class BinaryTooLargeError extends AppError {
  constructor(what: 'the file' | 'the files of the execution', maxBytes: number) {
    super({ code: 'BINARY_TOO_LARGE', message: `${what} would exceed the limit of ${maxBytes} bytes` });
  }
}
