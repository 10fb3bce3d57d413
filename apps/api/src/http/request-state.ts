import type { Request } from 'express';
import type { Caller } from '../auth/caller.ts';

/** Facts about a request that middleware passes on to later middleware. */
interface RequestState {
  requestId: string;
  caller?: Caller;
  /** Authenticates again, with the key of the request. */
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
