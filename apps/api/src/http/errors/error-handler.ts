import type { ErrorBody } from '@sluice/contract';
import {
  AppError,
  isAppError,
  type JsonValue,
  NotFoundError,
  noteLimit,
  PayloadTooLargeError,
  ValidationError,
} from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { requestState } from '../request/request-state.ts';
import { isHangUp } from '../response/client-disconnect.ts';
import { isTemporary, setRetryAfter, statusOf } from './error-statuses.ts';

/** An empty segment usually means that a client's ID variable is empty. */
export const notFound: RequestHandler = ({ path }) => {
  const isCut = path.includes('//');
  throw new NotFoundError(`there is nothing at this path${isCut ? ': one of its segments is empty' : ''}`);
};

/** Adds the authentication scheme to a 401, as HTTP requires. */
export function challenge(scheme: string): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (isAppError(error) && error.code === 'UNAUTHORIZED') response.setHeader('WWW-Authenticate', scheme);
    next(error);
  };
}

/** The last middleware: sends every error as JSON. Details of 5xx errors stay in the log. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const { status, body } = describeFailure(thrown, request, logger);
    if (response.headersSent) return next(thrown);
    if (isTemporary(status)) setRetryAfter(response);
    response.removeHeader('ETag');
    response.status(status).json(body);
  };
}

/** Status and body of the response to an error. Logs what concerns operators. */
export function describeFailure(thrown: unknown, request: Request, logger: Logger): { status: number; body: ErrorBody } {
  const { requestId } = requestState(request);
  const error = toAppError(thrown);
  const status = statusOf(error.code) ?? 500;
  noteLimit(error.code);
  if (status === 500 && !isHangUp(thrown, request)) logger.error({ err: thrown, requestId }, 'request failed');
  else if (status === 503) logger.warn({ err: error, requestId }, 'request refused');
  return { status, body: toErrorBody(error, requestId) };
}

/** Messages and paths quote values of the request, which may be megabytes long. */
const maxTextLength = 4096;

export function toErrorBody({ message, code, details }: AppError, requestId: string): ErrorBody {
  const body = { message: message.slice(0, maxTextLength), code, requestId };
  return isIssueList(details) && details.length > 0 ? { ...body, details: details.map(shortened) } : body;
}

function shortened(issue: Issue): Issue {
  return { ...issue, path: issue.path.slice(0, maxTextLength), message: issue.message.slice(0, maxTextLength) };
}

type Issue = NonNullable<ErrorBody['details']>[number];

function isIssueList(details: JsonValue | undefined): details is Issue[] {
  const isIssue = (entry: JsonValue) => typeof entry === 'object' && entry !== null && 'path' in entry && 'message' in entry;
  return Array.isArray(details) && details.every(isIssue);
}

/** Converts any error to the error for the caller. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error) && statusOf(error.code) !== undefined) return error;
  const refusal = isAppError(error) ? undefined : fromHttpError(error);
  return refusal ?? new AppError({ code: 'INTERNAL_ERROR', message: 'internal error', kind: 'defect', cause: error });
}

/** Errors of Express and body-parser. Their content, such as the raw body, is not passed on. */
function fromHttpError(error: unknown): AppError | undefined {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (error instanceof URIError) return new NotFoundError('there is nothing at this path');
  if (status === 413) return new PayloadTooLargeError('the body is too large');
  if (status === 415)
    return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the encoding of the body is not supported' });
  return new ValidationError(type === 'entity.parse.failed' ? 'the body is not valid JSON' : 'the request is not valid', '');
}
