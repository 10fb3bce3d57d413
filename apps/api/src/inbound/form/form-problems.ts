import { noteLimit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { toAppError } from '../../http/errors/error-handler.ts';
import { isTemporary, setRetryAfter, statusOf } from '../../http/errors/error-statuses.ts';
import { requestState } from '../../http/request/request-state.ts';
import { isHangUp } from '../../http/response/client-disconnect.ts';
import { problemView } from '../../pages/notice-view.ts';
import { sendPage } from '../../pages/send-page.ts';
import { NoResponseError, setRefusalHeaders } from '../shared/errors.ts';
import { sendNoResponse } from '../shared/send-response.ts';
import { isJsonRequest } from './form-request.ts';

const titles: Readonly<Record<number, string>> = {
  401: 'Sign in',
  403: 'No access',
  404: 'No form here',
  405: 'Not possible',
  409: 'No longer open',
  413: 'Too large',
  429: 'Too busy',
  503: 'Not available',
};

/** Error handler of forms: browsers get a page, programs JSON. */
export function formProblems(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    setRefusalHeaders(error, response);
    const asJson = isJsonRequest(request);
    if (response.headersSent || (asJson && !(error instanceof NoResponseError))) next(error);
    else if (asJson) sendNoResponse(error as NoResponseError, response);
    else sendProblem(error, request, response, logger);
  };
}

/** Details of internal errors stay in the log. */
function sendProblem(thrown: unknown, request: Request, response: Response, logger: Logger): void {
  const { requestId } = requestState(request);
  const { code, message } = toAppError(thrown);
  noteLimit(code);
  const status = statusOf(code) ?? 500;
  if (isTemporary(status)) setRetryAfter(response);
  if (status === 500 && !isHangUp(thrown, request)) logger.error({ err: thrown, requestId }, 'request failed');
  const text = status === 500 ? 'Something went wrong here.' : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  sendPage(response, status, problemView(titles[status] ?? 'The form cannot be shown', text));
}
