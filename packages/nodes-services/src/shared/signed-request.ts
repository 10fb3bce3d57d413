import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JsonValue, WebhookRequestContext } from '@sluice/node-sdk';

interface Signature {
  /** Secret that the service signs with. */
  secret: string;
  /** Value of the header of the request. */
  given: JsonValue | undefined;
  encoding: 'hex' | 'base64';
  /** Before the signature: `sha256=`. */
  prefix?: string;
  /** Signed bytes; default: the body. */
  signed?: Uint8Array | string;
}

/** Whether a service signed a request: HMAC with SHA-256, compared in constant time. */
export function isSigned(
  { request }: Pick<WebhookRequestContext, 'request'>,
  { secret, given, encoding, prefix = '', signed = request.rawBody }: Signature,
): boolean {
  if (secret === '' || typeof given !== 'string') return false;
  const wanted = Buffer.from(`${prefix}${createHmac('sha256', secret).update(signed).digest(encoding)}`);
  const received = Buffer.from(given.trim());
  return wanted.length === received.length && timingSafeEqual(wanted, received);
}

/** Responds to a request that is not from the service, and starts no execution. */
export function refuseRequest(context: WebhookRequestContext, message = 'the signature is wrong'): { noWebhookResponse: true } {
  context.respond({ status: 401, headers: {}, body: { kind: 'json', json: { message } } });
  return { noWebhookResponse: true };
}
