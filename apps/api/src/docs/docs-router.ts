import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { disconnectStalled } from '../http/response/client-disconnect.ts';
import { buildDocument, type DocumentOptions } from '../openapi/build-document.ts';
import { viewerPage } from './viewer-page.ts';

/** Files of Swagger UI that the page uses. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** A separate file, because the policy below forbids inline scripts. */
const start = `const { document: url } = window.document.getElementById('viewer').dataset;
SwaggerUIBundle({ url, domNode: window.document.getElementById('viewer'), docExpansion: 'list', deepLinking: true, showExtensions: true, persistAuthorization: true });
`;

/**
 * Own origin only, without `eval` and inline code. The viewer's style sheet contains its icons as
 * `data:` URLs.
 */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Swagger UI at `/docs` and `/api/v1/docs`. Needs no API key. */
export function docsRouter(options: DocumentOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.use(['/docs', '/api/v1/docs'], (_request, response, next) => {
    disconnectStalled(response);
    next();
  });
  const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.get('/docs', policy, page({ ...options, assets: 'docs', document: 'api/v1/openapi.json' }));
  router.get('/api/v1/docs', policy, page({ ...options, assets: 'docs', document: 'openapi.json' }));
  for (const base of ['/docs', '/api/v1/docs']) {
    router.get(`${base}/`, (_request, response) => response.redirect(308, '../docs'));
    router.get(`${base}/start.js`, (_request, response) => void response.type('js').send(start));
    router.get(
      files.map((file) => `${base}/${file}`),
      (request, response) => {
        const file = request.path.slice(base.length + 1);
        response.sendFile(file, { root: viewer, cacheControl: false, headers: { 'Cache-Control': 'public, max-age=3600' } });
      },
    );
  }
  return router;
}

/**
 * Sends the document. It is built at the first request and kept as bytes: most processes never need
 * it.
 */
export function serveDocument(options: DocumentOptions): RequestHandler {
  let bytes: Buffer | undefined;
  return (_request, response) => {
    disconnectStalled(response);
    bytes ??= Buffer.from(JSON.stringify(buildDocument(options)));
    response.type('json').send(bytes);
  };
}

function page(options: Parameters<typeof viewerPage>[0]): RequestHandler {
  const html = viewerPage(options);
  return (_request, response) => {
    response.type('html').send(html);
  };
}
