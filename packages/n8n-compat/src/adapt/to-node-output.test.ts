import { expect, test } from '@jest/globals';
import type { Item } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import { copyManyItems, itemReader } from '../context/item-reader.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { toNodeOutput } from './to-node-output.ts';

const ports = { binary: { store: () => Promise.reject(new Error('the test has no files')) } };
const circle: Record<string, unknown> = {};
circle['self'] = circle;

test.each([
  ['another kind of number', { n: 1n }],
  ['a circle', circle],
])('data without a JSON form is an error that names its location: %s', async (_, json) => {
  const output = [[{ json: {} }], [{ json: {} }, { json }]];
  const message = expect.stringMatching(/^output 1, item 1: its data cannot be written as JSON \([^\n]+\)$/);
  await expect(toNodeOutput(output, ports)).rejects.toMatchObject({ message });
  const failed = toNodeOutput([[{ json: {}, error: json }]], { ...ports, hasErrorOutput: true });
  await expect(failed).rejects.toThrow(/^output 0, item 0: its error cannot be written as JSON/);
});

test('many items are copied to a package and back in time slices', async () => {
  const items = Array.from({ length: 300_000 }, (_, id) => ({ json: { id, tags: ['a'] } }));
  const context = fakeContext({ items });
  let copies = new Map();
  expect(await longestBusy(async () => (copies = await copyManyItems(context, undefined)))).toBeLessThan(250);
  const seen = itemReader(context, undefined, copies)();
  expect(seen.at(-1)).toEqual({ json: { id: 299_999, tags: ['a'] }, pairedItem: { item: 299_999 } });
  expect(seen.at(-1)?.json).not.toBe(items.at(-1)?.json);
  let output: unknown[][] = [];
  const back = async () => (output = (await toNodeOutput([seen], ports)) as unknown[][]);
  expect(await longestBusy(back)).toBeLessThan(250);
  expect(output[0]).toHaveLength(300_000);
});

test('one large item is copied in time slices', async () => {
  const json = { list: Array.from({ length: 3_000_000 }, () => ({})) };
  let output: (Item[] | null)[] = [];
  expect(await longestBusy(async () => (output = await toNodeOutput([[{ json }]], ports)))).toBeLessThan(250);
  expect((output[0]?.[0]?.json['list'] ?? []) as unknown[]).toHaveLength(3_000_000);
});
