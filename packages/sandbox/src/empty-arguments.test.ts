import { afterAll, expect, test } from '@jest/globals';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const empty = { list: [], object: {}, date: '2026-01-02', text: '' };
const filled = { list: [{ a: 1 }, { a: 2 }], object: { a: 'x' }, date: '2026-01-02', text: 'abc' };
const scope = makeScope({ items: itemsOf(empty, filled, empty) });

/** For each item, whether the expression fails. */
async function failures(source: string): Promise<boolean[]> {
  const resolved = await sandbox.resolve(sandbox.compile({ p: `={{ ${source} }}` }), scope, never);
  return scope.items.map((_, itemIndex) => {
    try {
      resolved.get('p', itemIndex);
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'EXPRESSION_ERROR' });
      return true;
    }
  });
}

test.each([
  '$json.list.chunk()',
  '$json.list.chunk(0)',
  '$json.list.difference()',
  '$json.list.intersection()',
  '$json.list.union()',
  '$json.list.renameKeys()',
  '$json.list.renameKeys("a")',
  '$json.list.smartJoin()',
  '$json.list.smartJoin("a")',
  '$json.list.smartJoin("", "")',
  '$json.object.keepFieldsContaining()',
  '$json.object.keepFieldsContaining("")',
  '$json.object.removeFieldsContaining()',
  '$json.object.removeFieldsContaining("")',
  '$json.text.hash("")',
  '$json.date.toDateTime().isBetween()',
  '$json.date.toDateTime().isBetween("2026-01-01")',
  '$ifEmpty()',
  '$ifEmpty($json.text)',
  '$jmespath()',
  '$jmespath($json)',
  '"x".parseJson()',
  '"".parseJson()',
  '$average("a")',
  '$average(1, "2")',
  '$now.diffTo("2026-01-01", "nope")',
  '$now.diffToNow(["days", "nope"])',
  '$item(3)',
])('empty and unsuitable arguments are rejected for every item: %s', async (source) => {
  expect(await failures(source)).toEqual([true, true, true]);
});

test.each(['$json.list.pluck()', '$json.list.merge()', '$json.list.unique()', '$json.object.hasField()', '$json.text.quote()'])(
  'omitted optional arguments fail for no item: %s',
  async (source) => {
    expect(await failures(source)).toEqual([false, false, false]);
  },
);
