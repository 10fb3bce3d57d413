import { createHmac } from 'node:crypto';
import { AppError, type HttpRequest, requestHeaderText } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';

export const oAuth1Methods = ['HMAC-SHA1', 'HMAC-SHA256', 'HMAC-SHA512'] as const;
export type OAuth1Method = (typeof oAuth1Methods)[number];

interface OAuth1Signer {
  method: OAuth1Method;
  consumerKey: string;
  consumerSecret: string;
  /** Empty: only the consumer signs. */
  token: string;
  tokenSecret: string;
  nonce: string;
  /** Seconds since the epoch. */
  timestamp: number;
}

type Pair = readonly [name: string, value: string];

/**
 * Value of a request's `Authorization` header for OAuth 1.0a (RFC 5849 §3). Throws
 * `CREDENTIAL_UNUSABLE` for large parameters.
 */
export function oAuth1Authorization(request: HttpRequest, signer: OAuth1Signer): string {
  const { method, consumerKey, token, nonce, timestamp } = signer;
  const own: Pair[] = [
    ['oauth_consumer_key', consumerKey],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', method],
    ['oauth_timestamp', stringOf(timestamp)],
    ...(token === '' ? [] : [['oauth_token', token] as Pair]),
    ['oauth_version', '1.0'],
  ];
  const signature = sign(signatureBase(request, own), signer);
  const fields = [...own, ['oauth_signature', signature] as Pair];
  return `OAuth ${fields.map(([name, value]) => `${encoded(name)}="${encoded(value)}"`).join(', ')}`;
}

/** RFC 5849 §3.4.1: method, base URI, and all parameters, including those of a URL-encoded body. */
function signatureBase(request: HttpRequest, own: readonly Pair[]): string {
  const signed = signedParameters(request);
  const url = new URL(request.url);
  const parameters = [...signed, ...own]
    .map(([name, value]): Pair => [encoded(name), encoded(value)])
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`);
  return [request.method.toUpperCase(), url.origin + url.pathname, parameters.join('&')].map(encoded).join('&');
}

function sign(text: string, { method, consumerSecret, tokenSecret }: OAuth1Signer): string {
  const hash = method.slice('HMAC-'.length).toLowerCase();
  return createHmac(hash, `${encoded(consumerSecret)}&${encoded(tokenSecret)}`)
    .update(text)
    .digest('base64');
}

/** A URL-encoded body; empty for other bodies. */
function formText(request: HttpRequest): string {
  const { body } = request;
  const type = requestHeaderText(request, 'content-type').trim();
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
  return isForm && typeof body === 'string' ? body : '';
}

/** All parameters are sorted and encoded twice, so their number and length are bounded. */
const maxSignedLength = 128 * 1024;
const maxSignedParameters = 2_000;

function signedParameters(request: HttpRequest): Pair[] {
  const form = formText(request);
  const isShort = request.url.length + form.length <= maxSignedLength;
  const pairs = isShort ? [...new URL(request.url).searchParams, ...new URLSearchParams(form)] : [];
  if (isShort && pairs.length <= maxSignedParameters) return pairs;
  const message = `OAuth 1 signs ${maxSignedParameters} parameters and ${maxSignedLength} characters of query and form at most`;
  throw new AppError({ code: 'CREDENTIAL_UNUSABLE', message });
}

/** RFC 3986, stricter than `encodeURIComponent`. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Compares by code unit; all text is ASCII here. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
