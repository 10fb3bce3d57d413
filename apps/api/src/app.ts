import express, { type Express } from 'express';
import helmet from 'helmet';
import type { ApiContext } from './context.ts';
import { dashboardRouter } from './dashboard/dashboard-router.ts';
import { docsRouter, serveDocument } from './docs/docs-router.ts';
import { healthRouter } from './health/readiness.ts';
import { challenge, errorHandler, notFound } from './http/errors/error-handler.ts';
import { accessLog } from './http/logs/access-log.ts';
import { refuseNull, requireValidHead } from './http/request/check-head.ts';
import { constantHeaders, inTurn } from './http/request/in-turn.ts';
import { parseFlatQuery } from './http/request/query.ts';
import { requestId } from './http/request/request-state.ts';
import { abandonUnreadBody } from './http/request/unread-body.ts';
import { authenticate } from './http/route/authenticate.ts';
import { isPublic, mountRoutes, notAllowed } from './http/route/mount-routes.ts';
import { formProblems } from './inbound/form/form-problems.ts';
import { formRouter } from './inbound/form/form-router.ts';
import { resumeRouter } from './inbound/resume/resume-router.ts';
import { webhookRouter } from './inbound/webhook/webhook-router.ts';
import { mcpRouter } from './mcp/mcp-router.ts';
import { observeRequests, traceRequests } from './metrics/observe-requests.ts';
import { consentRouter } from './oauth2/consent-router.ts';
import { routes } from './routes.ts';

/** Maximum size of request bodies without a key. */
const publicBodyBytes = 65_536;

/** Headers of API responses: no scripts, no frames, no caching. */
const securityHeaders = constantHeaders(
  inTurn(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    }),
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    },
  ),
);

/**
 * The Express app. A request passes, in order: connection handling, metrics, request id, access
 * log, security headers, address limit, key (headers only), key limit, scope, body with its limits,
 * validation and handler, 404, errors. Does not listen.
 */
export function createApp(context: ApiContext): Express {
  const { audit, authenticator, limits, metrics, refusals, usage } = context;
  const { http } = context.config;
  const documented = { routes, keyHeader: http.keyHeader };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('query parser', parseFlatQuery);
  app.set('trust proxy', http.trustProxyHops);

  if (metrics) app.use(observeRequests(metrics));
  app.use(traceRequests);
  app.use(inTurn(requestId, accessLog(context.logger, context.inFlight), securityHeaders, abandonUnreadBody, requireValidHead));
  app.use(healthRouter(context.readiness));
  const bodyLimits = { limitBytes: http.bodyLimitBytes, maxDepth: http.jsonMaxDepth };
  const inbound = { limits: bodyLimits, misses: limits.misses, anonymous: limits.anonymous };
  app.use(['/webhook', '/webhook-test', '/webhook-waiting', '/form', '/form-test', '/form-waiting'], refuseNull);
  app.use(webhookRouter({ ...context.webhooks, ...inbound }));
  app.use('/api/v1', limits.byAddress);
  app
    .route('/api/v1/openapi.json')
    .get(serveDocument(documented))
    .all(notAllowed(['GET', 'HEAD']));
  app.use(docsRouter(documented));
  const mounting = { services: context.services, cursors: context.cursors, audit, refusals };
  const small = { limitBytes: Math.min(publicBodyBytes, http.bodyLimitBytes), maxDepth: http.jsonMaxDepth };
  app.use('/api/v1', mountRoutes(routes.filter(isPublic), { ...mounting, limits: small }));
  app.use('/api/v1', authenticate({ authenticator, usage, refusals, keyHeader: http.keyHeader }), limits.byKey);
  const guarded = routes.filter((route) => !isPublic(route));
  app.use('/api/v1', mountRoutes(guarded, { ...mounting, limits: bodyLimits }));
  app.options('/api/v1/*path', notFound); // instead of the plain text of Express
  app.use('/api/v1', challenge(`ApiKey header="${http.keyHeader}"`));
  app.use(
    '/oauth2',
    limits.byAddress,
    consentRouter({ credentialConsents: context.services.credentialConsents, logger: context.logger }),
  );
  app.use('/webhook-waiting', limits.misses.refuse);
  app.use(resumeRouter({ ...context.resumes, ...inbound }));
  app.use(['/webhook', '/webhook-test', '/webhook-waiting'], limits.misses.count);
  app.use('/form-waiting', limits.misses.refuse);
  app.use(formRouter({ ...context.forms, ...inbound }));
  app.use(['/form', '/form-test', '/form-waiting'], limits.misses.count, formProblems(context.logger));
  app.use(mcpRouter(context));
  app.use(dashboardRouter({ folder: context.dashboardFolder, keyHeader: http.keyHeader, publicUrl: http.publicUrl }));
  app.use(notFound, errorHandler(context.logger));
  return app;
}
