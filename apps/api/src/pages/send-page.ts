import { randomBytes } from 'node:crypto';
import type { Response } from 'express';
import { Html, html } from './html.ts';
import { style } from './style.ts';

export interface Page {
  /** Text. */
  title: string;
  body: Html;
  /** A style sheet of the author's, added to ours. */
  css?: string | undefined;
  /** Where the browser goes on, and after how many seconds; absent `url`: the same page again. */
  refresh?: { seconds: number; url?: string };
}

/**
 * Sends a page. It can run nothing and load nothing, whatever stands in it: no script, image, font, frame or request; only its own style sheets count, and it
 * sends its form to this origin.
 */
export function sendPage(response: Response, status: number, page: Page): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  // Nothing is said to other sites. To us it is: without, browsers would send `Origin: null` with our own forms.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.status(status).type('html').send(renderPage(page, nonce));
}

/** @param nonce of the style sheets; '' where no policy asks for one. */
export function renderPage({ title, body, css, refresh }: Page, nonce = ''): string {
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
</body>
</html>
`.text;
}

/** No `<` is left that could end the element; in a style sheet, the escape means the same. */
function inStyle(css: string): Html {
  return new Html(css.replaceAll('<', '\\3c '));
}
