import { type InstanceRole, roleScopes, type Scope } from '@sluice/domain';
import type { Request, RequestHandler } from 'express';
import { type Authenticator, toError } from '../../auth/authenticator.ts';
import type { KeyUsage } from '../../auth/key-usage.ts';
import { assertScopes } from '../../auth/scopes.ts';
import type { RefusalLog } from '../logs/refusal-log.ts';
import { actorOf, requestState } from '../request/request-state.ts';
import { endpointOf, type Route } from './define-route.ts';

interface AuthenticateOptions {
  authenticator: Authenticator;
  usage: KeyUsage;
  refusals: RefusalLog;
  /** Name of the key header, as in the error for a missing key. */
  keyHeader: string;
  /** Default: the value of that header. */
  keyOf?: (request: Request) => string | undefined;
}

type ScopedRoute = Pick<Route, 'method' | 'path' | 'scope'>;

/** Authenticates by headers only: no body is read before the key is valid. */
export function authenticate(options: AuthenticateOptions): RequestHandler {
  const { authenticator, usage, refusals, keyHeader, keyOf = (request) => request.get(keyHeader) } = options;
  return async (request, _response, next) => {
    const rawKey = keyOf(request);
    const authentication = await authenticator.check(rawKey);
    if ('refusal' in authentication) {
      const { reason, keyId, userId } = authentication.refusal;
      refusals.note({ actor: { ...actorOf(request), keyId, userId }, action: 'auth.failure', details: { reason } });
      throw toError(authentication.refusal, keyHeader);
    }
    const state = requestState(request);
    state.caller = authentication.caller;
    state.renewCaller = () => authenticator.authenticate(rawKey);
    usage.note(authentication.caller.keyId);
    next();
  };
}

/**
 * Authenticates again once the body is complete, because the key may have been revoked while the
 * body arrived.
 */
export const reauthenticate: RequestHandler = async (request, _response, next) => {
  const state = requestState(request);
  if (!state.renewCaller) throw new Error('the request was not authenticated before its body was read');
  state.caller = await state.renewCaller();
  next();
};

/** Refuses keys without the scope of a route. */
export function requireScope(route: ScopedRoute, refusals: RefusalLog): RequestHandler {
  return (request, _response, next) => {
    assertScope(request, route, refusals);
    next();
  };
}

/** Throws 403 and records the refusal if the key of the request lacks the scope of a route. */
export function assertScope(request: Request, route: ScopedRoute, refusals: RefusalLog): void {
  const { caller } = requestState(request);
  if (!caller) throw new Error('the request was not authenticated before its scope was checked');
  try {
    assertScopes(caller.scopes, neededScopes(route, caller.role), 'the API key lacks a scope');
  } catch (error) {
    const details = { scope: route.scope, endpoint: endpointOf(route) };
    refusals.note({ actor: actorOf(request), action: 'scope.denied', details });
    throw error;
  }
}

/** `every scope`: any scope that the role may hold. */
export function neededScopes({ scope }: Pick<Route, 'scope'>, role: InstanceRole): readonly Scope[] {
  if (scope === 'none' || scope === 'public') return [];
  return scope === 'every scope' ? roleScopes[role] : [scope];
}
