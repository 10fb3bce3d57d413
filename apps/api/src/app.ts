import express, { type Express, type RequestHandler } from 'express';
import type { ApiContext } from './context.ts';
import { docsPage } from './docs/docs-page.ts';
import { endpointScopes } from './endpoint-scopes.ts';
import { healthRouter } from './health/health-router.ts';
import { accessLog } from './http/access-log.ts';
import { authenticate } from './http/authenticate.ts';
import { errorHandler, notFound } from './http/error-handler.ts';
import { mountRoutes } from './http/mount-routes.ts';
import { requestId } from './http/request-id.ts';
import { securityHeaders } from './http/security-headers.ts';
import { routes } from './routes.ts';

/**
 * The whole HTTP side, in the order in which a request meets it: request id, access log, security headers, key (headers only),
 * scope, body with its limits, validation and handler, 404, errors. Does not listen.
 */
export function createApp(context: ApiContext): Express {
  const { http } = context.config;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', http.trustProxyHops);

  app.use(requestId, accessLog(context.logger), ...securityHeaders());
  app.use(healthRouter(context.readiness));
  app.get(['/docs', '/api/v1/docs'], showDocs(http.keyHeader));
  app.use('/api/v1', authenticate(context.authenticator, http.keyHeader));
  app.use(
    '/api/v1',
    mountRoutes(routes, endpointScopes, {
      services: context.services,
      limits: { limitBytes: http.bodyLimitBytes, maxDepth: http.jsonMaxDepth },
    }),
  );
  app.use(notFound, errorHandler(context.logger));
  return app;
}

function showDocs(keyHeader: string): RequestHandler {
  const page = docsPage({ routes, scopes: endpointScopes, keyHeader });
  return (_request, response) => {
    response.type('html').send(page);
  };
}
