import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { disconnectStalled } from '../http/response/client-disconnect.ts';
import { escapeHtml, html } from '../pages/html.ts';
import { sendPage } from '../pages/send-page.ts';

interface DashboardOptions {
  /** Folder of the built files. */
  folder: string;
  keyHeader: string;
  /** Its path prefixes the dashboard's paths: a proxy may serve the service below a path. */
  publicUrl: string | null;
}

interface DashboardFile {
  /** Relative to the folder of the built files. */
  path: string;
  /** Content encodings in which the file is also stored, as `<path>.<encoding>`. */
  encodings: readonly string[];
}

/** The built dashboard, as read at startup. */
interface BuiltDashboard {
  folder: string;
  /** HTML with the placeholders `{{base}}`, `{{keyHeader}}`, and `{{nonce}}`. */
  page: string;
  /** First segments of the paths that the page handles, in addition to `/`. */
  areas: readonly string[];
  files: readonly DashboardFile[];
}

/** The dashboard at `/`. Its files are public; its page asks the user for an API key. */
export function dashboardRouter(options: DashboardOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const dashboard = readDashboard(options.folder);
  if (dashboard === undefined) return router.get('/', sendNotBuilt);
  for (const file of dashboard.files) router.get(`/${file.path}`, serveFile(dashboard.folder, file));
  const areas = dashboard.areas.flatMap((area) => [`/${area}`, `/${area}/*rest`]);
  router.get(['/', ...areas], servePage(dashboard, options));
  return router;
}

/**
 * Serves a file, compressed if the client accepts it. Files in `assets` have a hash of their
 * content in their name.
 */
function serveFile(folder: string, { path, encodings }: DashboardFile): RequestHandler {
  const caching = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
  return (request, response) => {
    const encoding = request.acceptsEncodings([...encodings, 'identity']);
    const isEncoded = encoding !== false && encoding !== 'identity';
    disconnectStalled(response);
    response.type(extname(path));
    response.vary('Accept-Encoding');
    if (isEncoded) response.setHeader('Content-Encoding', encoding);
    const headers = { 'Cache-Control': caching };
    response.sendFile(isEncoded ? `${path}.${encoding}` : path, { root: folder, cacheControl: false, headers });
  };
}

function servePage({ page }: BuiltDashboard, { keyHeader, publicUrl }: DashboardOptions): RequestHandler {
  const { pathname } = new URL(publicUrl ?? 'http://localhost');
  const template = page
    .replace('{{base}}', escapeHtml(pathname.endsWith('/') ? pathname : `${pathname}/`))
    .replace('{{keyHeader}}', escapeHtml(keyHeader));
  return (_request, response) => {
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
    response.type('html').send(template.replaceAll('{{nonce}}', nonce));
  };
}

/** Allows only files of this origin: neither `eval` nor inline scripts. */
function contentSecurityPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    // Components add style sheets, such as the one that stops the page from scrolling below a
    // dialog.
    `style-src 'self' 'nonce-${nonce}'`,
    // Files of items are shown as `blob:` URLs.
    `img-src 'self' data: blob:`,
    `media-src blob:`,
    `connect-src 'self'`,
    `base-uri 'self'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

const sendNotBuilt: RequestHandler = (_request, response) => {
  const body = html`<h1>The dashboard is not built</h1>
<p>The API works: its documentation is at <a href="docs">docs</a>.</p>
<p>In a checkout, <code>./dev start</code> builds the dashboard; so does <code>./dev build:dashboard</code>, before the API starts.</p>`;
  sendPage(response, 404, { title: 'Sluice', body });
};

/** Folder of the built dashboard in `./dev start`, the image, and the package. */
export function dashboardFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sluice/dashboard/package.json')), 'dist/public');
}

/** Returns `undefined` if the dashboard is not built. */
function readDashboard(folder: string): BuiltDashboard | undefined {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  try {
    return { folder, page: read('index.html'), areas: JSON.parse(read('areas.json')), files: JSON.parse(read('files.json')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
