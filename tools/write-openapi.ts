/**
 * Writes the files that are generated from the routes: the API document (`docs/api/openapi.json`),
 * the table of endpoints (`docs/api/endpoints.md`), and the types of the client. With `--check`,
 * writes nothing, and fails if a file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { endpointOf, openApiDocument, routes } from '@sluice/api';
import { renderTypes } from '../packages/api-client/generate.ts';

const document = openApiDocument();
const outputs = [
  { path: 'docs/api/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
  { path: 'docs/api/endpoints.md', text: endpointTable() },
  { path: 'packages/api-client/src/generated/openapi.ts', text: await renderTypes(document) },
];

const stale = outputs.filter(({ path, text }) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is out of date: run ./dev api:write`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { path, text } of stale) writeFileSync(fileOf(path), text);
}

/** The table shows reviewers which scopes, audit actions, and rate limits a change affects. */
function endpointTable(): string {
  const code = (text: string) => `\`${text}\``;
  const rows = routes.map((route) => {
    const cells = [code(endpointOf(route)), code(route.scope), route.action ? code(route.action) : '', route.limit];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Endpoints

Generated from the routes by \`./dev api:write\`. Paths are below \`/api/v1\`.

- Scope: the scope that the API key needs. \`none\`: any valid key. \`every scope\`: all that the role of the key's user may hold. \`public\`: no key.
- Audit action: the name of the change in the audit log. Requests that only read are not recorded.
- Rate limit: the group of operations that share a limit for each key (\`RATE_LIMIT_KEY_TABLE\`).

| Endpoint | Scope | Audit action | Rate limit |
|---|---|---|---|
${rows.join('\n')}
`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(fileOf(path), 'utf8');
  } catch {
    return undefined;
  }
}

function fileOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
