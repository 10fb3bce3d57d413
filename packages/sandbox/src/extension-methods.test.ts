import { afterAll, expect, test } from '@jest/globals';
import { makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

async function evaluate(source: string) {
  return (await sandbox.resolve(sandbox.compile({ p: `=${source}` }), makeScope(), never)).get('p', 0);
}

test.each(['"1,234".toNumber()', '"12abc".toNumber()', '"abc".toInt()', '"abc".toFloat()'])(
  'text that is not a number is an error, not a different number: %s',
  async (source) => {
    await expect(evaluate(`{{ ${source} }}`)).rejects.toThrow('to a number');
  },
);

test('conversions of edge cases return the values that workflows expect', async () => {
  const sources =
    '"".toNumber(), " 12 ".toNumber(), " 12 ".isNumeric(), (-1.5).toInt(), (2.4).toInt(), "".toBoolean(), $if(0, 1)';
  expect(await evaluate(`{{ [${sources}] }}`)).toEqual([0, 12, false, -2, 2, false, false]);
});

test('toBoolean does not trim text', async () => {
  const texts = ['', '0', 'false', 'NO', ' ', ' false ', '00', 'off', 'yes'];
  const sources = texts.map((text) => `${JSON.stringify(text)}.toBoolean()`);
  expect(await evaluate(`{{ [${sources}] }}`)).toEqual([false, false, false, false, true, true, true, true, true]);
});

test.each([
  ['isUrl', ['https://localhost:3000/a', 'HTTP://EXAMPLE.COM', 'ftp://a_b.co?x#y', 'https://1.2.3.4', 'https://example.com.']],
  ['isDomain', ['localhost', 'a.localhost', 'example.com:80/x?y#z', '-a.com', 'a_b.com', '1.2.3.4', 'xn--p1a.de']],
])('%s accepts %j', async (method, texts) => {
  const sources = texts.map((text) => `${JSON.stringify(text)}.${method}()`);
  expect(await evaluate(`{{ [${sources}] }}`)).toEqual(texts.map(() => true));
});

test.each([
  [
    'isUrl',
    [
      'example.com',
      'x://example.com',
      'https://example',
      'https://a.b',
      'https://u@a.com',
      'https://日本.jp',
      'https://a.com/x y',
    ],
  ],
  ['isDomain', ['example', 'a.b', '1.2.3', 'a.c1', 'example.com.', ' a.com', 'a@b.com', 'https://a.com', '日本.jp', 'a..com']],
])('%s rejects %j', async (method, texts) => {
  const sources = texts.map((text) => `${JSON.stringify(text)}.${method}()`);
  expect(await evaluate(`{{ [${sources}] }}`)).toEqual(texts.map(() => false));
});

test.each([
  ['#a', 'a'],
  [' a ', ' a '],
  ['x ![a](b) y', 'x  y'],
  ['a[^1] b', 'a b'],
  ['[1]: http://x "t"', ''],
  ['a\n\n\n\nb', 'a\n\nb'],
  ['```js\ncode\n```', 'code\n'],
])('%j without Markdown is %j', async (text, plain) => {
  expect(await evaluate(`{{ ${JSON.stringify(text)}.removeMarkdown() }}`)).toBe(plain);
});

test('diffTo is positive from an earlier date, negative from a later one', async () => {
  const source = (a: string, b: string, unit: string) => `{{ '${a}'.toDateTime().diffTo('${b}', ${unit}) }}`;
  const [late, early] = ['2025-01-01', '2024-03-30T18:49:07.234'];
  expect(await evaluate(source(late, early, "'days'"))).toBeCloseTo(276.2159, 3);
  expect(await evaluate(source(early, late, "'days'"))).toBeCloseTo(-276.2159, 3);
  expect(await evaluate(source(late, early, "['months', 'days']"))).toEqual({ months: 9, days: expect.closeTo(1.2158, 3) });
});

test('0, NaN, and false are empty', async () => {
  expect(await evaluate('{{ [0, NaN, false, 1, true].map((value) => value.isEmpty()) }}')).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(await evaluate('{{ [0, NaN, false, 1, true].map((value) => value.isNotEmpty()) }}')).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});
