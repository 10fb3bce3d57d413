import { type InstanceRole, roleScopes, type Scope } from '@sluice/domain';
import type { Request, RequestHandler } from 'express';
import type { RefusalLog } from '../audit/refusal-log.ts';
import { type Authenticator, toError } from '../auth/authenticator.ts';
import type { KeyUsage } from '../auth/key-usage.ts';
import { assertHolds } from '../auth/scopes.ts';
import type { EndpointScope } from './define-route.ts';
import { actorOf, requestState } from './request-state.ts';

interface AuthenticateOptions {
  authenticator: Authenticator;
  usage: KeyUsage;
  refusals: RefusalLog;
  keyHeader: string;
}

/** Authenticates by headers only: no body is read before the key is valid. */
export function authenticate({ authenticator, usage, refusals, keyHeader }: AuthenticateOptions): RequestHandler {
  return async (request, _response, next) => {
    const rawKey = request.get(keyHeader);
    const found = await authenticator.check(rawKey);
    if ('refusal' in found) {
      const { reason, keyId, userId } = found.refusal;
      refusals.note({ actor: { ...actorOf(request), keyId, userId }, action: 'auth.failure', details: { reason } });
      throw toError(found.refusal, keyHeader);
    }
    const state = requestState(request);
    state.caller = found.caller;
    state.renewCaller = () => authenticator.authenticate(rawKey);
    usage.note(found.caller.keyId);
    next();
  };
}

/**
 * Refuses keys without the scope. `every scope` refuses keys that lack any scope that the role of
 * their user may hold.
 */
export function requireScope(scope: EndpointScope, endpoint: string, refusals: RefusalLog): RequestHandler {
  return (request, _response, next) => {
    try {
      checkScope(request, scope);
    } catch (error) {
      refusals.note({ actor: actorOf(request), action: 'scope.denied', details: { scope, endpoint } });
      throw error;
    }
    next();
  };
}

function checkScope(request: Request, scope: EndpointScope): void {
  const { caller } = requestState(request);
  if (!caller) throw new Error('authentication comes before scopes');
  assertHolds(caller.scopes, neededScopes(scope, caller.role), 'the API key lacks a scope');
}

function neededScopes(scope: EndpointScope, role: InstanceRole): readonly Scope[] {
  if (scope === 'none' || scope === 'public') return [];
  return scope === 'every scope' ? roleScopes[role] : [scope];
}
