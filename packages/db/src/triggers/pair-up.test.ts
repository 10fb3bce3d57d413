import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { pairUp } from './pair-up.ts';

interface Thing {
  id: string;
  name: string;
}
const thing = (id: string, name: string): Thing => ({ id, name });
const idOf = ({ id }: Thing) => (id === '' ? undefined : id);
const nameOf = ({ name }: Thing) => name;
const byId = { ofPresent: idOf, ofWanted: idOf, alone: true };
const byName = { ofPresent: nameOf, ofWanted: nameOf };
const pairs = (present: Thing[], wanted: Thing[]) =>
  [...pairUp(present, wanted, [byId, byName])].map(([to, from]) => `${from.id}${from.name} > ${to.id}${to.name}`);

describe('wanted and present items', () => {
  test('are paired by the first rule that matches, so that names can be swapped', () => {
    expect(pairs([thing('1', 'A'), thing('2', 'B')], [thing('1', 'B'), thing('2', 'A')])).toEqual(['1A > 1B', '2B > 2A']);
  });

  test('are paired by the next rule if the first is ambiguous', () => {
    const twice = [thing('1', 'A'), thing('1', 'B')];
    expect(pairs(twice, [thing('1', 'B'), thing('1', 'A')])).toEqual(['1B > 1B', '1A > 1A']);
    expect(pairs(twice, [thing('1', 'C')])).toEqual([]);
  });

  test('are not paired by keys that they lack', () => {
    expect(pairs([thing('', 'A')], [thing('', 'B')])).toEqual([]);
    expect(pairs([thing('', 'A')], [thing('', 'A')])).toEqual(['A > A']);
  });

  test.each([
    ['that differ', (i: number, side: string) => thing(`${side}${i}`, `${side}${i}`)],
    ['that share their keys', () => thing('same', 'same')],
  ])('%s are compared in linear time', async (_, make) => {
    const side = (name: string) => Array.from({ length: 20_000 }, (__, i) => make(i, name));
    expect(await longestBusy(() => pairUp(side('a'), side('b'), [byId, byName]))).toBeLessThan(250);
  });

  test('are each paired once, in the given order', () => {
    expect(pairs([thing('1', 'A'), thing('2', 'A')], [thing('3', 'A')])).toEqual(['1A > 3A']);
    expect(pairs([thing('1', 'A')], [thing('1', 'X'), thing('2', 'A')])).toEqual(['1A > 1X']);
  });
});
