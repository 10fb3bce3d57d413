import { describe, expect, test } from '@jest/globals';
import { JsonText, stringifyJson } from '../index.ts';
import { type JsonValue, parseExactJson, valueAt } from './json.ts';

const data = { list: [{ name: 'first' }, { name: 'second' }], text: 'abc' };

test.each<[string, JsonValue | undefined]>([
  ['text', 'abc'],
  ['list.1.name', 'second'],
  ['list.2.name', undefined],
  ['list.', undefined],
  ['list.length', undefined],
  ['list.0x1', undefined],
  ['text.0', undefined],
  ['toString', undefined],
  ['__proto__.toString', undefined],
])('a path reads only own members and elements by their index: %s', (path, value) => {
  expect(valueAt(data, path)).toEqual(value);
});

const long = `{"a":"${'x'.repeat(2_000_000)}","b":[1,{"c":null}]}`;

describe('JSON text in a tree', () => {
  test.each([
    ['short', '{"a":1,"__proto__":[]}'],
    ['long', long],
  ])('is written as it is, as a member and as an element: %s', async (_, text) => {
    const tree = { one: new JsonText(text), list: [new JsonText(text), 2, new JsonText('[]')] };
    expect(await stringifyJson(tree)).toBe(`{"one":${text},"list":[${text},2,[]]}`);
    expect(JSON.stringify(tree)).toBe(`{"one":${text},"list":[${text},2,[]]}`);
  });

  test.each([500, 100_000])('is not parsed if it has %i values', async (count) => {
    const text = `[${'[],'.repeat(count)}1]`;
    const parsed = Object.assign(new JsonText(text), { toJSON: () => 'parsed' });
    expect(await stringifyJson({ list: [1, parsed] })).toBe(`{"list":[1,${text}]}`);
  });

  test('is indented like the rest', async () => {
    expect(await stringifyJson({ a: new JsonText('{"b":1}') }, { indent: 2 })).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
    expect(await stringifyJson([new JsonText(long)], { indent: 1 })).toBe(JSON.stringify([JSON.parse(long)], null, 1));
  });
});

test('text of users is parsed as by JSON.parse', () => {
  const text = '{"a": [1, -2.5e3, null, "1e999"], "__proto__": {"b": 5e-324}, "c": 1e-400}';
  expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
  expect(() => parseExactJson('{')).toThrow(SyntaxError);
});

test.each(['1e999', '[{"a": -1e400}]', `${'9'.repeat(400)}`])('a number out of range is an error: %s', (text) => {
  expect(() => parseExactJson(text)).toThrow(/^the number [-\de]{1,20} is out of range$/);
});
