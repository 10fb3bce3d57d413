import type { ErrorBody } from '@sluice/contract';
import { type AppError, type JsonValue, NotFoundError, noteLimit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { statusOf } from './error-statuses.ts';
import { isHangUp } from './is-hang-up.ts';
import { requestState } from './request-state.ts';
import { isTemporary, setRetryAfter } from './retry-after.ts';
import { toAppError } from './to-app-error.ts';

/** An empty segment usually means that a client's ID variable is empty. */
export const notFound: RequestHandler = ({ path }) => {
  const isCut = path.includes('//');
  throw new NotFoundError(`there is nothing at this path${isCut ? ': one of its segments is empty' : ''}`);
};

/** The last middleware: sends every error as JSON with its status. Details of 5xx errors stay in the log. */
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
