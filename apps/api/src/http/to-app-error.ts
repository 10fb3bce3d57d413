import { AppError, isAppError, NotFoundError, PayloadTooLargeError, ValidationError } from '@sluice/domain';
import { statusOf } from './error-statuses.ts';

/** Converts any error to the error for the caller. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error) && statusOf(error.code) !== undefined) return error;
  const refusal = isAppError(error) ? undefined : fromHttpError(error);
  return refusal ?? new AppError({ code: 'INTERNAL_ERROR', message: 'internal error', kind: 'defect', cause: error });
}

/** Errors of Express and body-parser. The latter contain the raw body, so none of their content is passed on. */
function fromHttpError(error: unknown): AppError | undefined {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (error instanceof URIError) return new NotFoundError('there is nothing at this path');
  if (status === 413) return new PayloadTooLargeError('the body is too large');
  if (status === 415)
    return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the encoding of the body is not supported' });
  return new ValidationError(type === 'entity.parse.failed' ? 'the body is not valid JSON' : 'the request is not valid', '');
}
