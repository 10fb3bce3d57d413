import { describe, expect, test } from '@jest/globals';
import { pairUp } from './pair-up.ts';

interface Thing {
  id: string;
  name: string;
}
const thing = (id: string, name: string): Thing => ({ id, name });
const byId = { isSame: (a: Thing, b: Thing) => a.id === b.id, alone: true };
const byName = { isSame: (a: Thing, b: Thing) => a.name === b.name };
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

  test('are paired once each, in the order given', () => {
    expect(pairs([thing('1', 'A'), thing('2', 'A')], [thing('3', 'A')])).toEqual(['1A > 3A']);
    expect(pairs([thing('1', 'A')], [thing('1', 'X'), thing('2', 'A')])).toEqual(['1A > 1X']);
  });
});
