import type { Scope } from '@sluice/domain';
import type { Route } from '../http/define-route.ts';
import { endpointOf } from '../http/mount-routes.ts';

export interface DocsPageOptions {
  routes: readonly Route[];
  scopes: Readonly<Record<string, Scope>>;
  keyHeader: string;
}

/** A page that lists the endpoints with their scopes, in HTML without script or style. */
export function docsPage({ routes, scopes, keyHeader }: DocsPageOptions): string {
  const rows = routes.map((route) => {
    const endpoint = endpointOf(route);
    return `<tr><td><code>${escapeHtml(endpoint)}</code></td><td>${escapeHtml(route.summary)}</td><td><code>${scopes[endpoint]}</code></td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sluice API</title></head>
<body>
<h1>Sluice public API, version 1</h1>
<p>Paths are relative to <code>/api/v1</code>. Send the API key in the header <code>${escapeHtml(keyHeader)}</code> and bodies as
<code>application/json</code>. Errors are JSON: <code>{message, code, requestId, details?}</code>.</p>
<table>
<thead><tr><th>Endpoint</th><th>What it does</th><th>Scope</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><code>GET /healthz</code> says that the process is alive, <code>GET /readyz</code> that a run would be accepted.</p>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
