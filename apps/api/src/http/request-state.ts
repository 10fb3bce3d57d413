import type { AuditActor } from '@sluice/db';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.ts';

/** Results of the middleware, for the middleware and handlers after it. */
interface RequestState {
  requestId: string;
  caller?: Caller;
  /** Authenticates again with the key of the request. */
  renewCaller?: () => Promise<Caller>;
}

const states = new WeakMap<Request, RequestState>();

export function setRequestState(request: Request, state: RequestState): void {
  states.set(request, state);
}

export function requestState(request: Request): RequestState {
  const state = states.get(request);
  if (!state) throw new Error('the request id middleware comes first');
  return state;
}

/** The sender of a request; unknown parts are null. */
export function actorOf(request: Request): AuditActor {
  const { requestId, caller } = requestState(request);
  return {
    actor: caller?.email ?? null,
    userId: caller?.userId ?? null,
    keyId: caller?.keyId ?? null,
    ip: request.ip ?? null,
    requestId,
  };
}
