import { escapeHtml } from '../http/escape-html.ts';

/** A connection that a user is asked to confirm. */
interface RequestedConnection {
  /** Email of the user who asked for it. */
  requestedBy: string;
  credentialName: string;
  projectName: string;
  /** Address at the service. */
  url: string;
}

/** Page that names the user and the requested connection before the redirect to the service. No scripts, no styles. */
export function connectPage({ requestedBy, credentialName, projectName, url }: RequestedConnection): string {
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
<p><a href="${escapeHtml(url)}" rel="noreferrer">Continue to ${host}</a></p>
</body>
</html>
`;
}
