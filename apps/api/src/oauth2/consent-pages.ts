import { html } from '../pages/html.ts';
import type { Page } from '../pages/send-page.ts';

/** A connection that a user is asked to confirm. */
interface RequestedConnection {
  /** Email of the user who asked for it. */
  requestedBy: string;
  credentialName: string;
  projectName: string;
  /** Address at the service. */
  url: string;
  /** Identifies the consent; the browser sent it. */
  state: string;
}

/**
 * Page that names the user and the requested connection. Its button binds the consent to the
 * browser and redirects to the service.
 */
export function connectView({ requestedBy, credentialName, projectName, url, state }: RequestedConnection): Page {
  const { host } = new URL(url);
  const body = html`<h1>Connect a credential</h1>
<p>${requestedBy} wants to connect the credential “${credentialName}” of the project “${projectName}” to an account at ${host}.</p>
<p>Workflows of this project can then act for the account that you sign in with. Continue only if you expect this request.</p>
<form method="post" action="/oauth2/connect"><input type="hidden" name="state" value="${state}">
<button>Continue to ${host}</button></form>`;
  return { title: 'Connect a credential', body, formRedirects: true };
}

/** Page for a user who returns from a service. `message` may contain text of users and services. */
export function resultView({ title, message }: { title: string; message: string }): Page {
  return { title, body: html`<h1>${title}</h1>\n<p>${message}</p>` };
}
