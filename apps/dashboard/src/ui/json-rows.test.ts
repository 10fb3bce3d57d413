import { describe, expect, test } from '@jest/globals';
import { toRows } from './json-rows.ts';

const data = { user: { name: 'Ada', 'e-mail': 'ada@example.com' }, tags: ['x', 'y'] };
const none = { toggled: new Set<string>(), openDepth: 1, search: '' };
const paths = (options: Partial<typeof none>) => toRows(data, { ...none, ...options }).map(({ path }) => path);

describe('rows of a JSON tree', () => {
  test('opens the first levels', () => {
    expect(paths({})).toEqual(['$', '$.user', '$.tags']);
    expect(paths({ openDepth: 2 })).toEqual([
      '$',
      '$.user',
      '$.user.name',
      '$.user["e-mail"]',
      '$.tags',
      '$.tags[0]',
      '$.tags[1]',
    ]);
  });

  test('a toggled row is open if it were closed, and the other way around', () => {
    expect(paths({ toggled: new Set(['$.tags']) })).toEqual(['$', '$.user', '$.tags', '$.tags[0]', '$.tags[1]']);
    expect(paths({ toggled: new Set(['$']) })).toEqual(['$']);
  });

  test('a search shows matching names and values with the rows above them', () => {
    expect(paths({ search: 'ada@' })).toEqual(['$', '$.user', '$.user["e-mail"]']);
    expect(paths({ search: 'tags' })).toEqual(['$', '$.tags']);
    expect(paths({ search: 'nothing' })).toEqual(['$']);
  });

  test('a long level ends in a row with the number of further entries, which a search finds', () => {
    const long = Array.from({ length: 1_002 }, (_, index) => `entry ${index}`);
    const rows = toRows(long, none);
    expect(rows).toHaveLength(1_002);
    expect(rows.at(-1)).toEqual({ path: '$…', depth: 1, value: undefined, isOpen: false, more: 2 });
    expect(toRows(long, { ...none, search: 'entry 1001' }).map(({ path }) => path)).toEqual(['$', '$[1001]']);
  });

  test('rows know the size of objects and arrays', () => {
    expect(toRows(data, none).map(({ size, isOpen }) => [size, isOpen])).toEqual([
      [2, true],
      [2, false],
      [2, false],
    ]);
  });
});
