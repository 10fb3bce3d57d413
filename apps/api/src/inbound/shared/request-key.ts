import { createHash } from 'node:crypto';
import { type JsonObject, ValidationError } from '@sluice/domain';
import type { CredentialProof } from './request-authenticator.ts';
import type { WebhookRequest } from './webhook-request.ts';

/*
 * By its key, a call counts once. Keys are marked (with a colon), so that none is ever that of a form's page.
 */

/** A call that may have a key. */
export interface KeyedRequest extends Pick<WebhookRequest, 'headers' | 'method' | 'segments'> {
  /** What it has shown that it knows. */
  proof?: CredentialProof | undefined;
}

/**
 * The key that a caller has chosen, as far as it goes: for calls of this method and this very path, by this caller. So nobody starts nothing, or is given somebody
 * else's answer, for having chosen the same one. Throws `ValidationError`.
 */
export function requestKey(call: KeyedRequest): string | undefined {
  const given = printable(call, 'Idempotency-Key');
  return given && `call:${hash([given, call.method, call.segments, identityOf(call)])}`;
}

/**
 * The id of a message of Standard Webhooks, for all calls of the node: it is signed, and path and method are not, so who repeats a message cannot make it count
 * again. Throws `ValidationError`.
 */
export function messageKey(call: Pick<WebhookRequest, 'headers'>, idHeader: string): string | undefined {
  const given = printable(call, idHeader);
  return given && `call:${given}`;
}

function printable({ headers }: Pick<WebhookRequest, 'headers'>, name: string): string | undefined {
  const given = headers[name.toLowerCase()];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^[\x20-\x7e]{1,255}$/.test(given)) return given;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw new ValidationError('the request is not valid', [{ path: name, message }]);
}

/** When a token was issued, and until when it holds, does not make somebody else of who has it. */
const passing: ReadonlySet<string> = new Set(['iat', 'exp', 'nbf', 'jti']);

/**
 * Who calls: what their token says of them, or the secret that they have brought. A workflow may look at the header for credentials itself where its node does not;
 * callers who bring none are one.
 */
function identityOf({ headers, proof }: KeyedRequest): unknown {
  return proof?.jwtPayload ? claimsOf(proof.jwtPayload) : (headers[proof?.secretHeader ?? 'authorization'] ?? null);
}

function claimsOf(payload: JsonObject): unknown {
  return Object.entries(payload)
    .filter(([name]) => !passing.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
