import { ForbiddenError, isMcpVersion, OnDemand, ValidationError } from '@sluice/domain';
import { type Request, type RequestHandler, Router } from 'express';
import type { ApiContext } from '../context.ts';
import { challenge } from '../http/errors/error-handler.ts';
import { jsonBody } from '../http/request/read-json.ts';
import { authenticate, reauthenticate } from '../http/route/authenticate.ts';
import { notAllowed } from '../http/route/mount-routes.ts';

type McpContext = Pick<
  ApiContext,
  'audit' | 'authenticator' | 'config' | 'cursors' | 'limits' | 'logger' | 'refusals' | 'services' | 'usage'
>;

/**
 * The MCP server: streamable HTTP at `/mcp`, without sessions, so that any process can handle any
 * request. Its code is loaded on the first request with a valid key.
 */
export function mcpRouter(context: McpContext): Router {
  const { authenticator, limits, refusals, usage } = context;
  const { bodyLimitBytes: limitBytes, jsonMaxDepth: maxDepth, publicUrl } = context.config.http;
  const endpoint = new OnDemand(() => import('./mcp-endpoint.ts'));
  const keys = { authenticator, usage, refusals, keyHeader: 'Authorization, as "Bearer <key>"', keyOf: bearerToken };
  const router = Router({ caseSensitive: true });
  router.all('/mcp', limits.byAddress);
  router.post(
    '/mcp',
    requireOwnOrigin(publicUrl),
    requireKnownVersion,
    authenticate(keys),
    jsonBody({ limitBytes, maxDepth }),
    reauthenticate,
    async (request, response) => {
      const { respond } = await endpoint.get();
      const countKey = limits.ofKey(bearerToken(request) ?? '');
      await respond(request, response, { ...context, countKey });
    },
  );
  return router.all('/mcp', notAllowed(['POST'])).use('/mcp', challenge('Bearer'));
}

function bearerToken(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '')?.[1];
}

const requireKnownVersion: RequestHandler = (request, _response, next) => {
  const version = request.get('mcp-protocol-version');
  if (version !== undefined && !isMcpVersion(version)) {
    throw new ValidationError('this version of the protocol is not supported', 'MCP-Protocol-Version');
  }
  next();
};

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests of web pages of other origins. A page whose hostname was rebound to the address
 * of this service has an origin that is neither the public one nor a loopback name. Programs send
 * no `Origin`.
 */
function requireOwnOrigin(publicUrl: string | null): RequestHandler {
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
