import { randomUUID } from 'node:crypto';
import type { AuditActor } from '@sluice/db';
import type { Request, RequestHandler } from 'express';
import type { Caller } from '../../auth/caller.ts';
import { senderAddress } from './sender-address.ts';

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
    ip: senderAddress(request) ?? null,
    requestId,
  };
}

/**
 * Uses the caller's `X-Request-Id` if it is well-formed, or else generates one. Every response and
 * log line carries it.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const header = request.get('x-request-id');
  const id = header !== undefined && /^[\w-]{1,64}$/.test(header) ? header : randomUUID();
  setRequestState(request, { requestId: id });
  response.setHeader('X-Request-Id', id);
  next();
};
