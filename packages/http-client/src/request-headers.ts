import type { HttpRequest } from '@sluice/node-sdk';

/** Headers by name in lower case. A `Map`, since the names are the users'. */
export type Headers = ReadonlyMap<string, string | string[]>;

/** They frame the message or route it: the client sets them from the URL and the body, whatever the caller wrote. */
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

/** What still goes along to another origin. All else may be a secret meant for the first one, by whatever name. */
const portableHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent']);

const defaults: readonly (readonly [string, string])[] = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'sluice'],
];

export function requestHeaders(given: HttpRequest['headers'] = {}): Headers {
  const headers = new Map<string, string | string[]>(defaults);
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!connectionHeaders.has(lower)) headers.set(lower, value);
  }
  return headers;
}

/** As they are to be sent: with the names as the caller wrote them, where that is asked for. */
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
