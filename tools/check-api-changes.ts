/**
 * Compares the API document with the document of the last release (`docs/api/baseline.json`). Fails
 * if there is a breaking change to an operation that no pending changeset names. With `--accept`,
 * which releases use, the current document becomes the baseline.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { findBreakingChanges, findUnnamed } from './api-changes.ts';
import { pendingSummaries } from './changesets.ts';

const fileOf = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(fileOf(path), 'utf8');

if (process.argv.includes('--accept')) {
  copyFileSync(fileOf('docs/api/openapi.json'), fileOf('docs/api/baseline.json'));
} else {
  const changes = findBreakingChanges(JSON.parse(read('docs/api/baseline.json')), JSON.parse(read('docs/api/openapi.json')));
  const unnamed = findUnnamed(changes, pendingSummaries());
  for (const { operationId, change } of unnamed) console.error(`${operationId}: ${change}`);
  if (unnamed.length > 0) {
    console.error(
      'These changes break clients. Undo them, or name each operation in backticks in a changeset (npx changeset).',
    );
    process.exitCode = 1;
  }
}
