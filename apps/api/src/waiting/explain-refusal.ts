import type { Response } from 'express';
import { CallUnauthorizedError } from './call-authenticator.ts';
import { MethodNotAllowedError } from './resume-service.ts';

/** Sets the headers that say what a refused call should have been like. */
export function explainRefusal(error: unknown, response: Response): void {
  if (error instanceof MethodNotAllowedError) response.setHeader('Allow', error.allowed);
  if (error instanceof CallUnauthorizedError && error.scheme !== undefined)
    response.setHeader('WWW-Authenticate', error.scheme);
}
