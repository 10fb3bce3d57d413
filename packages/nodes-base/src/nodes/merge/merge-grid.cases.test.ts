import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { JsonObject, PairedItem } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { type MergeCase, mergeGrid } from '../../testing/merge-grid.ts';
import { merge } from './merge.ts';

/**
 * The result that cases share: from the engine whose format we read, or, if `kept`, our
 * intentionally different result.
 */
interface StoredResult {
  versions: readonly number[];
  /** Names in the grid. */
  cases: readonly string[];
  kept?: string;
  error?: true;
  items?: readonly JsonObject[];
  /** Sources of each item, as `input:item`, sorted, joined by a comma. */
  pairs?: readonly string[];
}
type Result = Pick<StoredResult, 'error' | 'items' | 'pairs'>;

const stored = readFileSync(new URL('merge-results.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as StoredResult);
const grid = mergeGrid();

function sourcesOf(pairedItem: PairedItem | readonly PairedItem[] | number | undefined): string {
  const pairs = [pairedItem ?? []]
    .flat()
    .map((pair): PairedItem => (typeof pair === 'number' ? { item: pair } : (pair as PairedItem)));
  return [...new Set(pairs.map(({ item, input = 0 }) => `${input}:${item}`))].sort().join(',');
}

async function resultOf({ parameters, inputs }: MergeCase, typeVersion: number): Promise<Result> {
  try {
    const items = inputs.map((list) => list.map((json) => ({ json })));
    const [output] = await runNode(merge, { parameters, typeVersion, inputs: items });
    const merged = output ?? [];
    const json = merged.map((item) => JSON.parse(JSON.stringify(item.json)) as JsonObject);
    return { items: json, pairs: merged.map(({ pairedItem }) => sourcesOf(pairedItem)) };
  } catch {
    return { error: true };
  }
}

test('each case in the grid has one stored result for each of its versions', () => {
  const named = (versions: readonly number[], name: string) => versions.map((version) => `${version}: ${name}`);
  const wanted = grid.flatMap(({ versions, name }) => named(versions, name));
  const covered = stored.flatMap(({ versions, cases }) => cases.flatMap((name) => named(versions, name)));
  expect(covered.sort()).toEqual(wanted.sort());
});

test.each([2, 2.1, 3, 3.1, 3.2])('merge %d returns the stored results in every mode', async (version) => {
  const cases = new Map(grid.filter(({ versions }) => versions.includes(version)).map((one) => [one.name, one]));
  for (const { versions, cases: names, kept: _, ...rest } of stored) {
    if (!versions.includes(version)) continue;
    for (const name of names) {
      const result = await resultOf(cases.get(name) as MergeCase, version);
      expect({ name, ...result }).toEqual({ name, ...rest });
    }
  }
});

test('the intentional differences are those in docs/compatibility.md', () => {
  const counts = new Map<string, number>();
  for (const { versions, cases, kept } of stored) {
    if (kept === undefined) continue;
    for (const version of versions) counts.set(`${version}: ${kept}`, (counts.get(`${version}: ${kept}`) ?? 0) + cases.length);
  }
  const inPlace = 'items are never changed in place';
  const allInputs = 'the empty item is paired with the items of all inputs';
  expect(Object.fromEntries(counts)).toEqual({
    '2: an input without items lacks no field': 90,
    ...Object.fromEntries([2, 2.1, 3, 3.1, 3.2].map((version) => [`${version}: ${inPlace}`, 3])),
    ...Object.fromEntries([3, 3.1, 3.2].map((version) => [`${version}: ${allInputs}`, 2])),
  });
});
