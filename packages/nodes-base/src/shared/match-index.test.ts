import { expect, test } from '@jest/globals';
import type { Item, JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { MatchIndex } from './match-index.ts';

const names = Array.from({ length: 24 }, (_, index) => `field${index}`);
const fields = names.map((name) => [name]);

/** An item whose fields all have the value. */
const itemOf = (value: JsonValue): Item => ({ json: Object.fromEntries(names.map((name) => [name, value])) });

test('a loose search takes time proportional to the items, regardless of how many fields have several equal values', async () => {
  const index = new MatchIndex([null, [], '', 'other'].map(itemOf), fields, 'loose');
  let positions: readonly number[] = [];
  const busy = await longestBusy(() => {
    positions = index.find(itemOf('').json, fields);
  });
  expect(positions).toEqual([0, 1, 2]);
  expect(busy).toBeLessThan(100);
}, 20_000);
