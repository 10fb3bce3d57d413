import type { Request, Response } from 'express';

/** Seconds for which browsers may cache the response to a preflight. */
const preflightSeconds = 300;

export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Responds to a preflight: the methods and headers that the actual request may use. */
export function respondToPreflight(
  request: Request,
  response: Response,
  { methods, allowed }: { methods: readonly string[]; allowed: readonly string[] | undefined },
): void {
  if (allowOrigin(request, response, allowed)) {
    response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    response.setHeader('Access-Control-Max-Age', preflightSeconds);
    const requestedHeaders = request.headers['access-control-request-headers'];
    if (requestedHeaders !== undefined && /^[\w\-!#$%&'*+.^`|~, ]{1,2000}$/.test(requestedHeaders))
      response.setHeader('Access-Control-Allow-Headers', requestedHeaders);
    response.vary('Access-Control-Request-Headers');
  }
  response.status(204).end();
}

/**
 * Lets pages of these origins read the response; absent: all origins. Returns whether the request
 * comes from one of them.
 */
export function allowOrigin(request: Request, response: Response, allowed: readonly string[] | undefined): boolean {
  const { origin } = request.headers;
  if (allowed) response.vary('Origin');
  if (origin === undefined || (allowed && !allowed.includes(origin))) return false;
  response.setHeader('Access-Control-Allow-Origin', allowed ? origin : '*');
  // Helmet's default would hide the response from pages that request it without CORS.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  return true;
}
