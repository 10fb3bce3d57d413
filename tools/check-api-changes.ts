/**
 * Compares the API document with that of the last release (`docs/api/baseline.json`), and fails for
 * a breaking change whose operation no pending changeset names. With `--accept`, at a release, the
 * current document becomes the baseline.
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
  for (const { operationId, what } of unnamed) console.error(`${operationId}: ${what}`);
  if (unnamed.length > 0) {
    console.error(
      'These changes break clients. Undo them, or name each operation, in backticks, in a changeset (npx changeset).',
    );
    process.exitCode = 1;
  }
}
