import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonValue, WebhookRequestContext, WebhookResult } from '@sluice/node-sdk';
import { textOf } from './json-values.ts';

interface Signature {
  /** Secret that the service uses for signatures. */
  secret: string;
  /** The value in the request header. */
  signature: JsonValue | undefined;
  encoding: 'hex' | 'base64';
  /** Prefix of the signature: `sha256=`. */
  prefix?: string;
  /** Signed bytes; default: the body. */
  signed?: Uint8Array | string;
}

/** Whether a service signed a request: HMAC with SHA-256, compared in constant time. */
export function isSigned(
  { request }: Pick<WebhookRequestContext, 'request'>,
  { secret, signature, encoding, prefix = '', signed = request.rawBody }: Signature,
): boolean {
  return secret !== '' && isSecret(signature, `${prefix}${createHmac('sha256', secret).update(signed).digest(encoding)}`);
}

/** Compares a request value with a secret, in constant time. An empty secret never matches. */
export function isSecret(text: JsonValue | undefined, secret: string): boolean {
  const [received, wanted] = [Buffer.from(textOf(text).trim()), Buffer.from(secret)];
  return wanted.length > 0 && wanted.length === received.length && timingSafeEqual(wanted, received);
}

/**
 * Whether a request was sent within the tolerance; an older request may be a replay. `time`: since
 * 1970, in seconds, or in units of 1/`perSecond` of a second.
 */
export function isRecent(time: string, toleranceSeconds: number, perSecond = 1): boolean {
  return /^\d{1,15}$/.test(time) && Math.abs(Date.now() / 1_000 - Number(time) / perSecond) <= toleranceSeconds;
}

/** While a secret is being replaced, requests are also signed with the old one. */
const maxSignatures = 3;

/** Whether a service signed a request and its time, by a header `t=<seconds>,v1=<signature>`. */
export function isSignedInTime(
  context: WebhookRequestContext,
  { header, secret, toleranceSeconds }: { header: string; secret: string; toleranceSeconds: number },
): boolean {
  const { headers, rawBody } = context.request;
  const parts = textOf(headers[header]).slice(0, 2_000).split(',');
  const valuesOf = (name: string) =>
    parts.flatMap((part) => (part.trim().startsWith(`${name}=`) ? [part.trim().slice(name.length + 1)] : []));
  const [time = ''] = valuesOf('t');
  if (!isRecent(time, toleranceSeconds)) return false;
  const signed = Buffer.concat([Buffer.from(`${time}.`), rawBody]);
  return valuesOf('v1')
    .slice(0, maxSignatures)
    .some((signature) => isSigned(context, { secret, signature, encoding: 'hex', signed }));
}

/** Responds with 401 to a request that is not from the service, and starts no execution. */
export function refuseRequest(context: WebhookRequestContext, message = 'the signature is wrong'): { noWebhookResponse: true } {
  context.respond({ status: 401, headers: {}, body: { kind: 'json', json: { message } } });
  return { noWebhookResponse: true };
}

/**
 * A delivery ID derived from values that only a repeated delivery shares; absent if one of them is
 * missing.
 */
export function deliveryOf(...values: (JsonValue | undefined)[]): Pick<WebhookResult, 'deliveryId'> {
  const isKnown = values.every((value) => typeof value === 'number' || (typeof value === 'string' && value !== ''));
  return isKnown ? { deliveryId: values.join(' ') } : {};
}
