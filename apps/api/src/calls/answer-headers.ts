/** Headers that an answer may hold; all else is for the server to say, which serves more than answers at this origin. */
const allowed = new Set([
  'accept-ranges',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'age',
  'allow',
  'cache-control',
  'cdn-cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-location',
  'content-range',
  'content-type',
  'deprecation',
  'etag',
  'expires',
  'idempotency-key',
  'last-modified',
  'link',
  'location',
  'pragma',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'refresh',
  'retry-after',
  'server-timing',
  'set-cookie',
  'signature',
  'signature-input',
  'sunset',
  'vary',
  'warning',
  'www-authenticate',
]);

/** Names that programs make up for themselves. */
const ownSchemes = /^(?:hx|mcp|webhook|x)-[a-z\d_-]+$/;

/** Of these, those that proxies, browsers and this server act on. */
const reserved =
  /^x-(?:accel-(?!buffering$)|content-|dns-prefetch-|download-|forwarded|frame-|permitted-|powered-by$|real-ip$|request-id$|sendfile|webkit-csp$|xss-)/;

/** The headers of an answer that it may have. What a header cannot hold becomes a blank in it. */
export function answerHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers)
    .filter(([name]) => isAllowed(name.toLowerCase()))
    .map(([name, value]) => [name, String(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')]);
}

function isAllowed(name: string): boolean {
  return allowed.has(name) || (ownSchemes.test(name) && !reserved.test(name));
}
