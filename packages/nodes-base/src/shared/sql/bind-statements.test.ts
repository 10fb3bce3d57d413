import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/node-sdk';
import { type BindOptions, bindStatements, placeholderCount } from './bind-statements.ts';
import type { SqlDialect } from './sql-dialect.ts';

const quoteName = (name: string) => `<${name}>`;
const postgres: SqlDialect = { placeholder: (position) => `$${position}`, quoteName, dollarQuotes: true, backslashes: false };
const mySql: SqlDialect = { placeholder: () => '?', quoteName, dollarQuotes: false, backslashes: true };

const bind = (text: string, values: JsonValue[], dialect = postgres, more: Partial<BindOptions> = {}) =>
  bindStatements(text, values, { dialect, itemIndex: 3, quotedAsText: false, ...more });

describe('bindStatements', () => {
  test.each([
    ["a string: 'it''s $1'", postgres],
    ['a name: "a $1"', postgres],
    ['a line: -- $1; $1', postgres],
    ['a comment in a comment: /* /* $1 */ ; $1 */', postgres],
    ['a tagged string: $tag$ $1; $$ $tag$', postgres],
    ["an escape string: E'\\' $1'", postgres],
    ["a string that never ends: '$1; ", postgres],
    ["an escaped quote: '\\' $1'", mySql],
    ['a string in double quotes: "\\" $1"', mySql],
    ['a quoted name: `$1`', mySql],
    ['a line: # $1; $1', mySql],
  ])('does not change %s', (text, dialect) => {
    expect(bind(`${text}`, ['x'], dialect)).toEqual([{ text: text.trim(), values: [] }]);
  });

  test('does not nest comments if the database does not', () => {
    expect(bind('/* /* */ $1', ['x'], mySql)).toEqual([{ text: '/* /* */ ?', values: ['x'] }]);
  });

  test('a cast is not a modifier, and a value used twice is bound twice', () => {
    expect(bind('SELECT $1::int, $1 + $2', [1, 2])).toEqual([{ text: 'SELECT $1::int, $2 + $3', values: [1, 1, 2] }]);
  });

  test('an empty list matches nothing, and null is a value', () => {
    expect(bind('a IN ($1:csv) OR a = $2', [[], null])).toEqual([{ text: 'a IN ($1) OR a = $2', values: [null, null] }]);
  });

  test('a name is quoted and must be a string', () => {
    expect(bind('SELECT $1:name', [['a', 'b']])).toEqual([{ text: 'SELECT <a>, <b>', values: [] }]);
    expect(() => bind('SELECT $1:name', [5])).toThrow('needs a non-empty text');
  });

  test('splits statements and drops empty ones', () => {
    expect(bind("SELECT $1; ;\n-- end\nSELECT ';', $2;", ['a', 'b'])).toEqual([
      { text: 'SELECT $1', values: ['a'] },
      { text: "-- end\nSELECT ';', $1", values: ['b'] },
    ]);
  });

  test('text without values is not split', () => {
    expect(bind('SELECT 1; SELECT $1', [])).toEqual([{ text: 'SELECT 1; SELECT $1', values: [] }]);
  });

  test('a position without a value is an error of its item', () => {
    expect(() => bind('SELECT $2', ['a'])).toThrow(expect.objectContaining({ itemIndex: 3 }));
  });
});

test('placeholderCount is the highest position outside strings, except a string that is only a placeholder', () => {
  expect(placeholderCount("SELECT $1, '$3', 'a $9' -- $8", postgres)).toBe(3);
  expect(placeholderCount('SELECT 1', postgres)).toBe(0);
});
