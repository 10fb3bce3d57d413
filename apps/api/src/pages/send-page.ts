import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from './html.ts';
import { style } from './style.ts';

export interface Page {
  /** Plain text. */
  title: string;
  body: Html;
  /** Style sheet of the author, added to the default one. */
  css?: string | undefined;
  /** Code of this service; it may send requests to this origin. */
  script?: string;
  /** Seconds until the browser loads `url`; absent `url`: reloads the page. */
  refresh?: { seconds: number; url?: string };
}

/**
 * Sends a page. Its policy forbids images, fonts, and frames: it may use its own style sheets and submit
 * its form to this origin. Only a page with a script may run that script and send requests.
 */
export function sendPage(response: Response, status: number, page: Page): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(page.script === undefined ? [] : [`script-src 'nonce-${nonce}'`, `connect-src 'self'`]),
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  // `same-origin` rather than `no-referrer`: with the latter, browsers send `Origin: null` with our forms.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.status(status).type('html').send(renderPage(page, nonce));
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
