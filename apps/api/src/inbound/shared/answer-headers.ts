import type { AnswerHeaders } from '@sluice/domain';

/* Headers that an answer may hold; all else is for the server to say, which serves more than answers at this origin. */

/** No answer has two of one name. */
const single = new Set([
  'access-control-allow-origin',
  'access-control-max-age',
  'age',
  'content-disposition',
  'content-location',
  'content-range',
  'content-type',
  'deprecation',
  'etag',
  'expires',
  'idempotency-key',
  'last-modified',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'refresh',
  'retry-after',
  'sunset',
]);

const repeatable = new Set([
  'accept-ranges',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'allow',
  'cache-control',
  'cdn-cache-control',
  'content-encoding',
  'content-language',
  'link',
  'pragma',
  'ratelimit',
  'ratelimit-policy',
  'server-timing',
  'set-cookie',
  'signature',
  'signature-input',
  'vary',
  'warning',
  'www-authenticate',
]);

/** Names that programs make up for themselves. */
const ownSchemes = /^(?:hx|mcp|webhook|x)-[a-z\d_-]+$/;

/** Of these, those that proxies, browsers and this server act on. */
const reserved =
  /^x-(?:accel-(?!buffering$)|content-|dns-prefetch-|download-|forwarded|frame-|permitted-|powered-by$|real-ip$|request-id$|sendfile|webkit-csp$|xss-)/;

/** The headers of an answer that it may have. What a header cannot hold becomes a blank in it; of several that can be one alone, the last one counts. */
export function answerHeaders(headers: AnswerHeaders): [name: string, value: string | string[]][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string | string[]][] => {
    if (!isAllowed(name.toLowerCase())) return [];
    if (typeof value !== 'object') return [[name, clean(value)]];
    return [[name, single.has(name.toLowerCase()) ? clean(value.at(-1) ?? '') : value.map(clean)]];
  });
}

function clean(value: string): string {
  return String(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
}

function isAllowed(name: string): boolean {
  return single.has(name) || repeatable.has(name) || (ownSchemes.test(name) && !reserved.test(name));
}
