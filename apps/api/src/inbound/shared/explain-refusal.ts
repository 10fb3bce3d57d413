import type { Response } from 'express';
import { MethodNotAllowedError, NotWaitingYetError } from './errors.ts';
import { UnauthorizedRequestError } from './request-authenticator.ts';

/** Sets the headers that say what a refused call should have been like, or when it may come again. */
export function explainRefusal(error: unknown, response: Response): void {
  if (error instanceof MethodNotAllowedError) response.setHeader('Allow', error.allowed);
  if (error instanceof NotWaitingYetError) response.setHeader('Retry-After', '2');
  if (error instanceof UnauthorizedRequestError && error.scheme !== undefined)
    response.setHeader('WWW-Authenticate', error.scheme);
}
