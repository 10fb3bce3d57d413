import { ForbiddenError } from '@sluice/domain';
import type { RequestHandler } from 'express';

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests of web pages of other origins. A page whose hostname was rebound to the address of this service
 * has an origin that is neither the public one nor a loopback name. Programs send no `Origin`.
 */
export function requireOwnOrigin(publicUrl: string | null): RequestHandler {
  const own = publicUrl === null ? undefined : new URL(publicUrl).origin;
  return (request, _response, next) => {
    const origin = request.get('origin');
    if (origin !== undefined && origin !== own && !isLoopback(origin)) {
      const issue = { path: 'Origin', message: 'must be the origin of this service, or absent' };
      throw new ForbiddenError('web pages of this origin may not use the MCP server', [issue]);
    }
    next();
  };
}

function isLoopback(origin: string): boolean {
  return loopback.has(URL.parse(origin)?.hostname ?? '');
}
