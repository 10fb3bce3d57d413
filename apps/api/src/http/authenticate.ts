import { ForbiddenError, type Scope } from '@sluice/domain';
import type { RequestHandler } from 'express';
import type { Authenticator } from '../auth/authenticator.ts';
import { requestState } from './request-state.ts';

/** Looks at headers only: nobody's body is read before the key is good. */
export function authenticate(authenticator: Authenticator, keyHeader: string): RequestHandler {
  return async (request, _response, next) => {
    requestState(request).caller = await authenticator.authenticate(request.get(keyHeader));
    next();
  };
}

export function requireScope(scope: Scope): RequestHandler {
  return (request, _response, next) => {
    if (!requestState(request).caller?.scopes.has(scope)) {
      throw new ForbiddenError('the API key lacks a scope', [{ path: 'scope', message: scope }]);
    }
    next();
  };
}
