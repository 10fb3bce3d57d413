import { describe, expect, test } from '@jest/globals';
import { type JsonRow, toRows } from './json-rows.ts';

const data = { user: { name: 'Ada', 'e-mail': 'ada@example.com' }, tags: ['x', 'y'] };
const none = { toggled: new Set<string>(), openDepth: 1, search: '' };
/** The rows, and the number of steps that it took to find them. */
function rowsAndSteps(...args: Parameters<typeof toRows>): { rows: JsonRow[]; steps: number } {
  const walk = toRows(...args);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = walk.next();
    if (done) return { rows: value, steps };
  }
}
const rowsOf = (...args: Parameters<typeof toRows>) => rowsAndSteps(...args).rows;
const paths = (options: Partial<typeof none>) => rowsOf(data, { ...none, ...options }).map(({ path }) => path);

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

  test('a toggled row is open if it would be closed, and vice versa', () => {
    expect(paths({ toggled: new Set(['$.tags']) })).toEqual(['$', '$.user', '$.tags', '$.tags[0]', '$.tags[1]']);
    expect(paths({ toggled: new Set(['$']) })).toEqual(['$']);
  });

  test('a search shows matching names and values with the rows above them', () => {
    expect(paths({ search: 'ada@' })).toEqual(['$', '$.user', '$.user["e-mail"]']);
    expect(paths({ search: 'tags' })).toEqual(['$', '$.tags']);
    expect(paths({ search: 'nothing' })).toEqual(['$']);
  });

  test('a long level ends with a row that shows the number of further entries, which a search finds', () => {
    const long = Array.from({ length: 1_002 }, (_, index) => `entry ${index}`);
    const rows = rowsOf(long, none);
    expect(rows).toHaveLength(1_002);
    expect(rows.at(-1)).toEqual({ path: '$…', depth: 1, value: undefined, isOpen: false, more: 2 });
    expect(rowsOf(long, { ...none, search: 'entry 1001' }).map(({ path }) => path)).toEqual(['$', '$[1001]']);
  });

  test('a level with more matches ends with a row that shows their number', () => {
    const long = Array.from({ length: 3_000 }, (_, index) => (index % 2 === 0 ? { a: 'x' } : 'y'));
    const rows = rowsOf(long, { ...none, search: 'x' });
    expect(rows).toHaveLength(2_002);
    expect(rows.slice(-3).map(({ path, more }) => [path, more])).toEqual([
      ['$[1998]', undefined],
      ['$[1998].a', undefined],
      ['$…', 500],
    ]);
  });

  test('a search takes a step for each thousand entries, even without matches', () => {
    const long = Array.from({ length: 50_000 }, () => ({ a: 'x' }));
    expect(rowsAndSteps(long, { ...none, search: 'none' })).toEqual({
      rows: [expect.objectContaining({ path: '$' })],
      steps: 101,
    });
  });

  test('rows have the size of objects and arrays', () => {
    expect(rowsOf(data, none).map(({ size, isOpen }) => [size, isOpen])).toEqual([
      [2, true],
      [2, false],
      [2, false],
    ]);
  });
});
