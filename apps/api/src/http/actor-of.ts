import type { AuditActor } from '@sluice/db';
import type { Request } from 'express';
import { requestState } from './request-state.ts';

/** The sender of a request, as far as it is known yet. */
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
