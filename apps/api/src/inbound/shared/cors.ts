import type { Request, Response } from 'express';

/** Seconds for which browsers may keep what a preflight has said. */
const preflightSeconds = 300;

/** Lets the pages of these origins read the answer; absent: those of all. Nothing is said to others, nor to callers that are no browser. */
export function allowOrigin(request: Request, response: Response, allowed: readonly string[] | undefined): boolean {
  const { origin } = request.headers;
  if (allowed) response.vary('Origin');
  if (origin === undefined || (allowed && !allowed.includes(origin))) return false;
  response.setHeader('Access-Control-Allow-Origin', allowed ? origin : '*');
  // Helmet's default would keep the answer from pages that do not ask by CORS.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  return true;
}

export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Answers a preflight: which methods and headers the real call may have. */
export function answerPreflight(
  request: Request,
  response: Response,
  { methods, allowed }: { methods: readonly string[]; allowed: readonly string[] | undefined },
): void {
  if (allowOrigin(request, response, allowed)) {
    response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    response.setHeader('Access-Control-Max-Age', preflightSeconds);
    const asked = request.headers['access-control-request-headers'];
    if (asked !== undefined && /^[\w\-!#$%&'*+.^`|~, ]{1,2000}$/.test(asked))
      response.setHeader('Access-Control-Allow-Headers', asked);
    response.vary('Access-Control-Request-Headers');
  }
  response.status(204).end();
}
