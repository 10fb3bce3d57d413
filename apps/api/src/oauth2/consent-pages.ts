import { escapeHtml } from '../pages/html.ts';

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
 * browser and redirects to the service. No scripts, no styles.
 */
export function connectPage({ requestedBy, credentialName, projectName, url, state }: RequestedConnection): string {
  const [user, credential, project] = [requestedBy, credentialName, projectName].map(escapeHtml);
  const host = escapeHtml(new URL(url).host);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Connect a credential</title>
</head>
<body>
<h1>Connect a credential</h1>
<p>${user} wants to connect the credential “${credential}” of the project “${project}” to an account at ${host}.</p>
<p>Workflows of this project can then act for the account that you sign in with. Continue only if you expect this request.</p>
<form method="post" action="/oauth2/connect"><input type="hidden" name="state" value="${escapeHtml(state)}">
<button>Continue to ${host}</button></form>
</body>
</html>
`;
}

export interface Result {
  title: string;
  /** Plain text; may contain text of users and services. */
  message: string;
}

/** Page for a user who returns from a service. No scripts, no styles, no links. */
export function resultPage({ title, message }: Result): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
</body>
</html>
`;
}
