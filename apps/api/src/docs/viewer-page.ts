import { endpointOf } from '../http/route/define-route.ts';
import type { DocumentOptions } from '../openapi/build-document.ts';
import { escapeHtml } from '../pages/html.ts';

interface ViewerPageOptions extends DocumentOptions {
  /** URL of the page's own files, relative to the page. */
  assets: string;
  /** URL of the document, relative to the page. */
  document: string;
}

/** The page around the viewer; without scripts, a list of the endpoints with their scopes. */
export function viewerPage({ routes, keyHeader, assets, document }: ViewerPageOptions): string {
  const rows = routes.map((route) => {
    const endpoint = endpointOf(route);
    return `<tr><td><code>${escapeHtml(endpoint)}</code></td><td>${escapeHtml(route.summary)}</td><td><code>${route.scope}</code></td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API</title>
<link rel="icon" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script src="${assets}/swagger-ui-bundle.js" defer></script>
<script src="${assets}/start.js" defer></script>
</head>
<body>
<div id="viewer" data-document="${document}"></div>
<noscript>
<h1>Sluice public API, version 1</h1>
<p>Paths are relative to <code>/api/v1</code>. Send the API key in the header <code>${escapeHtml(keyHeader)}</code> and bodies as
<code>application/json</code>. Errors are JSON: <code>{message, code, requestId, details?}</code>. The whole document is
<a href="${document}">OpenAPI 3.1</a>.</p>
<table>
<thead><tr><th>Endpoint</th><th>What it does</th><th>Scope</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><code>GET /healthz</code> says that the process is alive, <code>GET /readyz</code> that a run would be accepted.</p>
</noscript>
</body>
</html>
`;
}
