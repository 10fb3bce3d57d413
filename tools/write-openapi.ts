/**
 * Writes what is made from the route table: the document (`docs/api/openapi.json`) and the types of the client. With `--check` it
 * writes nothing and fails when one of them is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '@sluice/api';
import { renderTypes } from '../packages/api-client/generate.ts';

const document = openApiDocument();
const outputs = [
  { path: 'docs/api/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
  { path: 'packages/api-client/src/generated/openapi.ts', text: await renderTypes(document) },
];

const stale = outputs.filter(({ path, text }) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is out of date: run ./dev api:write`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { path, text } of stale) writeFileSync(fileOf(path), text);
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
