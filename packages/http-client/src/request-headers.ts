import type { HttpRequest } from '@sluice/node-sdk';

/** Headers by lower-case name. A `Map`, because the names come from users. */
export type Headers = ReadonlyMap<string, string | string[]>;

/**
 * Headers that frame or route the message: the client sets them from the URL and the body,
 * regardless of the caller.
 */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers that may be sent to another origin. Any other header may contain a secret for the first
 * origin.
 */
const portableHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent']);

const defaults: readonly (readonly [string, string])[] = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'sluice'],
];

export function requestHeaders(source: HttpRequest['headers'] = {}): Headers {
  const headers = new Map<string, string | string[]>(defaults);
  for (const [name, value] of Object.entries(source)) {
    const lower = name.toLowerCase();
    if (!connectionHeaders.has(lower)) headers.set(lower, value);
  }
  return headers;
}

/** The headers to send, with the caller's case of the names if requested. */
export function sentHeaders(headers: Headers, written: HttpRequest['headers'] | undefined): Map<string, string | string[]> {
  if (!written) return new Map(headers);
  const spelling = new Map(Object.keys(written).map((name) => [name.toLowerCase(), name]));
  return new Map([...headers].map(([name, value]) => [spelling.get(name) ?? name, value]));
}

export function withoutSecrets(headers: Headers): Headers {
  return new Map([...headers].filter(([name]) => portableHeaders.has(name)));
}

/** For a redirect that drops the body. */
export function withoutBodyHeaders(headers: Headers): Headers {
  return new Map([...headers].filter(([name]) => !name.startsWith('content-')));
}
