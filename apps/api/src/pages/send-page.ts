import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { disconnectStalled } from '../http/response/client-disconnect.ts';
import { countUnread } from '../http/response/unread-responses.ts';
import { Html, html } from './html.ts';

export interface Page {
  /** Plain text. */
  title: string;
  body: Html;
  /** Style sheet of the author, added to the default one. */
  css?: string | undefined;
  /** Code of this service; it may send requests to this origin. */
  script?: string;
  /** Whether its form redirects to another site, which `form-action` would refuse. */
  formRedirects?: true;
  /** Seconds until the browser loads `url`; absent `url`: reloads the page. */
  refresh?: { seconds: number; url?: string };
}

/**
 * Sends a page. Its policy forbids images, fonts, and frames: it may use its own style sheets and
 * submit its form to this origin. Only a page with a script may run that script and send requests.
 */
export function sendPage(response: Response, status: number, page: Page): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(page.script === undefined ? [] : [`script-src 'nonce-${nonce}'`, `connect-src 'self'`]),
    ...(page.formRedirects ? [] : [`form-action 'self'`]),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  // `same-origin` rather than `no-referrer`: with the latter, browsers send `Origin: null` with our
  // forms.
  response.setHeader('Referrer-Policy', 'same-origin');
  disconnectStalled(response);
  const bytes = Buffer.from(renderPage(page, nonce));
  countUnread(response, bytes.length);
  response.status(status).type('html').send(bytes);
}

/** @param nonce of the style sheets; empty if no policy requires one. */
export function renderPage({ title, body, css, refresh, script }: Page, nonce = ''): string {
  const target = refresh && `${refresh.seconds}${refresh.url === undefined ? '' : `; url=${refresh.url}`}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${target !== undefined && html`<meta http-equiv="refresh" content="${target}">\n`}<title>${title}</title>
<style nonce="${nonce}">${new Html(style)}</style>
${css !== undefined && html`<style nonce="${nonce}">${inStyle(css)}</style>\n`}</head>
<body>
<main>
${body}
</main>
${script !== undefined && html`<script nonce="${nonce}">${new Html(script)}</script>\n`}</body>
</html>
`.text;
}

/** Escapes `<`, which could end the element. In a style sheet, the escape has the same meaning. */
function inStyle(css: string): Html {
  return new Html(css.replaceAll('<', '\\3c '));
}

/** Styles of forms: legible, narrow, and with the contrast that WCAG AA requires. */
const style = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f3f4f6; color: #1f2937; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 2rem auto; padding: 2rem; background: #fff; border: 1px solid #d1d5db; border-radius: .5rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p, li, dd, td { overflow-wrap: anywhere; }
a { color: #1d4ed8; }
.field { margin: 1.25rem 0; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; margin-bottom: .25rem; padding: 0; font-weight: 600; overflow-wrap: anywhere; }
.option { display: flex; gap: .5rem; align-items: baseline; font-weight: 400; }
.required { color: #b91c1c; }
.hint { margin: 0 0 .25rem; color: #4b5563; font-size: .875rem; }
input:not([type=checkbox]):not([type=radio]), textarea, select { width: 100%; padding: .5rem; border: 1px solid #6b7280; border-radius: .25rem; background: #fff; color: inherit; font: inherit; }
textarea { min-height: 7rem; }
:focus-visible { outline: 3px solid #1d4ed8; outline-offset: 2px; }
[aria-invalid=true] { border-color: #b91c1c !important; }
.error { margin: 0 0 .25rem; color: #b91c1c; }
.errors { margin-bottom: 1.5rem; padding: 1rem; border: 2px solid #b91c1c; border-radius: .25rem; }
.errors h2 { margin: 0; font-size: 1.125rem; }
.errors ul { margin: .5rem 0 0; padding-left: 1.25rem; }
button { padding: .625rem 1.25rem; border: 0; border-radius: .25rem; background: #1d4ed8; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:hover { background: #1e40af; }
#log { margin: 1rem 0; }
#log p { width: fit-content; max-width: 90%; margin: .5rem 0; padding: .5rem .75rem; border-radius: .5rem; background: #e5e7eb; white-space: pre-wrap; }
#log .user { margin-left: auto; background: #dbeafe; }
#log .error { background: #fee2e2; }
@media (max-width: 40rem) { main { margin: 0; padding: 1rem; border: 0; border-radius: 0; } }
`;
