import type { FormEnding, WebhookBody } from '@sluice/domain';
import { authorHtml } from './author-html.ts';
import { html } from './html.ts';
import type { Page } from './send-page.ts';

/* Pages without a form. */

const thanks = 'Your response has been recorded.';

/** Page shown after a form is submitted. */
export function endingView(ending: FormEnding): Page {
  if (ending.kind === 'redirect') return redirectView(ending.url);
  return notice('Form submitted', html`<p role="status">${authorHtml(ending.text ?? thanks)}</p>`);
}

/**
 * A page that redirects by itself. An HTTP redirect would not work: browsers check redirects of
 * forms against the content security policy of the page with the form.
 */
export function redirectView(url: string): Page {
  const isWebUrl = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
  if (!isWebUrl) return endingView({ kind: 'text' });
  const { href } = new URL(url);
  return {
    ...notice('Form submitted', html`<p>${thanks} <a href="${href}">Go on</a></p>`),
    refresh: { seconds: 0, url: href },
  };
}

/** `fileUrl`: URL of its file. */
export function completionView({ title, message, css }: Extract<WebhookBody, { kind: 'page' }>, fileUrl?: string): Page {
  const file = fileUrl !== undefined && html`<p><a href="${fileUrl}" download>Download the file</a></p>`;
  return {
    ...notice(
      title || 'Form submitted',
      html`<div role="status">${authorHtml(message || (title === '' ? thanks : ''))}</div>${file}`,
    ),
    css,
  };
}

/** A page that reloads after this many seconds. */
export function waitingView(seconds: number): Page {
  const body = html`<p role="status">There is nothing to do here at the moment. This page reloads by itself.</p><p><a href="">Look again</a></p>`;
  return { ...notice('Please wait', body), refresh: { seconds } };
}

export function problemView(title: string, message: string): Page {
  return notice(title, html`<p role="alert">${message}</p>`);
}

function notice(title: string, body: Page['body']): Page {
  return { title, body: html`<h1>${title}</h1>\n${body}` };
}
