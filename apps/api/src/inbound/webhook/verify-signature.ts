import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureRule } from '@sluice/nodes-base/credentials';
import { UnauthorizedRequestError } from '../shared/errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Key of a signed body, if the signature covers a timestamp: a replayed request counts once. Throws
 * `UnauthorizedRequestError` for a body that is not signed by the rule.
 */
export function assertSigned(rule: SignatureRule, headers: Headers, body: Uint8Array): string | undefined {
  const signature = verifySignature(rule, headers, body, Date.now());
  if (signature === undefined) throw new UnauthorizedRequestError();
  return rule.timestampHeader === undefined ? undefined : `signed:${signature}`;
}

/**
 * The signature in one notation, if it follows the rule and is recent. `undefined` if it is
 * missing, invalid or too old.
 */
export function verifySignature(rule: SignatureRule, headers: Headers, body: Uint8Array, nowMs: number): string | undefined {
  const id = rule.idHeader === undefined ? '' : single(headers[rule.idHeader]);
  const timestamp = rule.timestampHeader === undefined ? '' : single(headers[rule.timestampHeader]);
  const header = single(headers[rule.header]);
  if (id === undefined || timestamp === undefined || header === undefined) return undefined;
  if (rule.timestampHeader !== undefined && !isRecent(timestamp, nowMs, rule.toleranceMs)) return undefined;
  const wanted = expected(rule, { id, timestamp }, body);
  const candidates = rule.several ? header.split(' ') : [header];
  return candidates.filter((candidate) => isSame(candidate, rule, wanted)).length > 0
    ? wanted.toString('base64url')
    : undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecent(timestamp: string, nowMs: number, toleranceMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1000) <= toleranceMs;
}

function expected(
  { key, algorithm, content }: SignatureRule,
  names: { id: string; timestamp: string },
  body: Uint8Array,
): Buffer {
  const [before = '', after = ''] = content.split('{body}');
  const fill = (text: string) => text.replaceAll(/\{(id|timestamp)\}/g, (_, name: 'id' | 'timestamp') => names[name]);
  return createHmac(algorithm, key).update(fill(before)).update(body).update(fill(after)).digest();
}

function isSame(candidate: string, { prefix, encoding }: SignatureRule, wanted: Buffer): boolean {
  if (!candidate.startsWith(prefix)) return false;
  const text = candidate.slice(prefix.length);
  const digest = Buffer.from(text, encoding);
  const isWhole = encoding === 'hex' ? text.length === wanted.length * 2 : true;
  return isWhole && digest.length === wanted.length && timingSafeEqual(digest, wanted);
}
