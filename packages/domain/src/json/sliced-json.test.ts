import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { maxElements, maxKeys, parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

const repeated = (chunk: string, count: number) => chunk.repeat(count);

const documents: [string, string][] = [
  ['small objects', `[${repeated('{},', 100_000)}{"a":[]}]`],
  ['small members', `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":[${i},null,true]`).join(', ')}}`],
  [
    'containers larger than a chunk',
    `{"a": [[${repeated('1,', 60_000)}2] , {"b":{"c":"${repeated('x', 90_000)}","d":[{}]}}], "e":{}}`,
  ],
  ['a long string with quotes and brackets', `["${repeated('a\\"]}\\\\', 40_000)}", 1]`],
  ['a string next to one', `["${repeated('\\\\', 50_000)}",-1.5e3,null ]`],
  ['blanks between', `[1${repeated(' ', 70_000)},${repeated('\n', 70_000)}{"a"${repeated('\t', 70_000)}: 2 }]`],
  ['a key that is none', `[${repeated('0,', 70_000)}{"__proto__":{"a":1},"constructor":2}]`],
  ['a key twice', `{"a":1,"b":"${repeated('x', 70_000)}","a":2}`],
  ['a scalar', `"${repeated('é', 70_000)}"`],
  ['a string of escaped quotes', `["${repeated('\\"', 300_001)}",{"a":"${repeated('x\\"', 300_001)}"}]`],
  ['a string of escaped backslashes', `["${repeated('\\\\', 300_001)}"]`],
  ['a string of numbered escapes', `["x${repeated('\\u0001', 100_001)}","${repeated('\\u0001\\n', 90_000)}"]`],
  ['a string of characters with two surrogates', `["${repeated('😀', 300_001)}","a${repeated('😀', 300_001)}"]`],
  ['a long key', `{"${repeated('\\"😀', 200_000)}":1,"b":[]}`],
];

describe('JSON in time slices', () => {
  test.each(documents)('%s: matches JSON.parse and JSON.stringify', async (_, text) => {
    const expected = JSON.stringify(JSON.parse(text));
    const parsed = await parseJson(text);
    expect(JSON.stringify(parsed)).toBe(expected);
    expect(await stringifyJson(parsed)).toBe(expected);
    expect(await stringifyJson(parsed, { indent: 2 })).toBe(JSON.stringify(parsed, null, 2));
  });

  test('members with the key `__proto__` stay members', async () => {
    const parsed = (await parseJson(`{"__proto__":{"polluted":true},"a":"${repeated('x', 70_000)}"}`)) as object;
    expect(Object.keys(parsed)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  const filler = repeated('1,', 40_000);
  test.each([
    `[${filler}]`,
    `[${filler}1`,
    `[${filler}1}`,
    `[${filler},1]`,
    `[,${filler}1]`,
    `[${filler}1] 2`,
    `{"a":[${filler}1],}`,
    `{"a":[${filler}1] "b":1}`,
    `{"a" [${filler}1]}`,
    `{a:[${filler}1]}`,
    `["${filler}`,
    `[[${filler}1},1]`,
    `nul${filler}`,
    repeated('[', 100_000),
    repeated(' ', 100_000),
  ])('a long string that is not JSON is a SyntaxError: %#', async (text) => {
    await expect(async () => parseJson(text)).rejects.toThrow(SyntaxError);
  });

  const nested = {
    'a long part': (depth: number) => `${'['.repeat(depth)}"${filler}"${']'.repeat(depth)}`,
    'a short part': (depth: number) => `[${filler}${'{"a":'.repeat(depth - 1)}0${'}'.repeat(depth - 1)}]`,
  };
  test.each(Object.entries(nested))('a long string whose %s nests more than 1,000 levels is refused', async (_, text) => {
    expect(JSON.stringify(await parseJson(text(1_000)))).toBe(text(1_000));
    await expect(parseJson(text(1_001))).rejects.toThrow('JSON is nested more than 1000 levels deep');
  });

  test('an object with too many keys to list at once is refused', async () => {
    const text = `{${Array.from({ length: maxKeys + 1 }, (_, i) => `"${i}":1`).join(',')}}`;
    await expect(parseJson(text)).rejects.toThrow(`more than ${maxKeys} keys`);
  });

  test('an array with too many elements to copy at once is refused, except in stored data', async () => {
    const text = `[${'1,'.repeat(maxElements)}1]`;
    await expect(parseJson(text)).rejects.toThrow(`more than ${maxElements} elements`);
    expect(await parseJson(text, undefined, Number.POSITIVE_INFINITY)).toHaveLength(maxElements + 1);
  });

  test('values without a JSON form are written as JSON.stringify writes them', async () => {
    const rows = Array.from({ length: 30_000 }, () => ({ a: undefined, b: Number.NaN, c: new Date(0) }));
    const value = { rows, skipped: undefined, list: [undefined, () => 1] };
    expect(await stringifyJson(value)).toBe(JSON.stringify(value));
  });

  test('a string that would be too long is refused', async () => {
    const value = Array.from({ length: 30_000 }, () => ({}));
    const { length } = JSON.stringify(value);
    expect(await stringifyJson(value, { maxLength: length })).toHaveLength(length);
    await expect(stringifyJson(value, { maxLength: length - 1 })).rejects.toThrow(`longer than ${length - 1} characters`);
  });

  test.each([
    ['objects', `[${repeated('{},', 1_000_000)}{}]`],
    ['lists', `{"a":[${repeated('[[]],', 500_000)}[]]}`],
    ['one string', `["${repeated('\\n\\"', 3_000_000)}"]`],
    ['many keys', `[{${Array.from({ length: 90_000 }, (_, i) => `"key${i}":{}`).join(',')}}]`],
  ])('other work continues while a document of several megabytes is read and written: %s', async (_, text) => {
    let value: unknown;
    expect(await longestBusy(async () => (value = await parseJson(text)))).toBeLessThan(250);
    expect(await longestBusy(() => stringifyJson(value))).toBeLessThan(250);
  });
});

test('the keys of an object with many keys are listed once for its weight, and once to write it', async () => {
  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key ${index}`, index]));
  let listings = 0;
  const ownKeys = (object: object) => {
    listings += 1;
    return Reflect.ownKeys(object);
  };
  // Listing 100,000 keys blocks the event loop for about 20 ms.
  const written = await stringifyJson([[{ json: new Proxy(wide, { ownKeys }), pairedItem: { item: 0 } }]]);
  expect(written).toBe(JSON.stringify([[{ json: wide, pairedItem: { item: 0 } }]]));
  expect(listings).toBe(2);
});

test('a large value that contains itself is refused, and one that occurs twice is written twice', async () => {
  const large: Record<string, unknown> = { list: Array.from({ length: 50_000 }, () => ({})) };
  expect((await stringifyJson([large, large])).length).toBe(2 * (await stringifyJson(large)).length + 3);
  large['self'] = { large };
  const written: unknown = stringifyJson(large, { maxLength: 1_000_000 });
  await expect(written).rejects.toThrow('Converting circular structure to JSON');
});
