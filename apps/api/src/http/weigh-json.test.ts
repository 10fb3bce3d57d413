import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maxJsonParts, weighJson } from './weigh-json.ts';

const listOf = (count: number, write: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, i) => write(i)).join()}]`;

test('nesting is let through up to the limit and not beyond, wherever it is but within strings', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(weighJson(nested(100), 100)).toBeUndefined();
  expect(weighJson(nested(101), 100)).toBe('too deep');
  expect(weighJson('{"a":[{"b":1}]}', 2)).toBe('too deep');
  expect(weighJson('["[[[[","\\"[[[[","\\\\"]', 1)).toBeUndefined();
  expect(weighJson('["\\\\",[[1]]]', 2)).toBe('too deep');
});

describe('parts', () => {
  test.each([
    ['empty arrays', `[${'[],'.repeat(5_000_000)}1]`],
    ['empty objects', `[${'{},'.repeat(5_000_000)}1]`],
    ['strings', `[${'"",'.repeat(maxJsonParts)}1]`],
    ['different keys of one object', `{${listOf(450_000, (i) => `"k${i}":1`).slice(1, -1)}}`],
    ['different keys of many objects', listOf(45_000, (i) => `{${listOf(10, (j) => `"k${i}-${j}":1`).slice(1, -1)}}`)],
    ['the same keys', `[${'{"a":1,"b":1},'.repeat(700_000)}1]`],
  ])('of a text that is nothing but %s are too many', (_, text) => {
    expect(weighJson(text, 100)).toBe('too many parts');
  });

  test.each([
    ['10,000 items of 30 texts', listOf(10_000, (i) => `{${listOf(30, (j) => `"field${j}":"v${i}-${j}"`).slice(1, -1)}}`)],
    ['100,000 items of 9 numbers', listOf(100_000, (i) => `{${listOf(9, (j) => `"f${j}":${i + j}`).slice(1, -1)}}`)],
    ['100,000 values by their ids', `{${listOf(100_000, (i) => `"id-${i}":{"n":1}`).slice(1, -1)}}`],
    ['seven million numbers', `[${'1,'.repeat(7_000_000)}1]`],
    ['one text', JSON.stringify('"[{:,'.repeat(2_000_000))],
  ])('of %s are few enough', (_, text) => {
    expect(weighJson(text, 100)).toBeUndefined();
  });
});

describe('numbers', () => {
  test.each(['1e400', '[-1e400]', '{"a":[{"b":1E+400}]}', '[2e308]', `[1,${'9'.repeat(310)}]`, `{"a":-${'9'.repeat(309)}.5}`])(
    'that a double cannot hold are found: %.30s',
    (text) => {
      expect(weighJson(text, 100)).toBe('number out of range');
    },
  );

  test.each([
    '1e308',
    '[1.7976931348623157e308]',
    '1e-400',
    `0.${'9'.repeat(400)}`,
    '{"a":[1.5,"1e400",null]}',
    '["\\"1e400"]',
  ])('of %.30s are fine', (text) => {
    expect(weighJson(text, 100)).toBeUndefined();
  });

  test('are found where JSON.parse would make an infinity, and nowhere else', () => {
    const digits = fc.stringMatching(/^[0-9]{1,4}$/).map((text) => text.replace(/^0+(?=.)/, ''));
    const written = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.option(fc.tuple(fc.constantFrom('e', 'E+', 'e-'), digits)))
      .map(([sign, whole, part, power]) => `${sign}${whole}${part ? `.${part}` : ''}${power ? power.join('') : ''}`);
    fc.assert(
      fc.property(fc.array(written, { maxLength: 5 }), (numbers) => {
        const text = `[${numbers.join()}]`;
        const overflows = (JSON.parse(text) as number[]).some((number) => !Number.isFinite(number));
        expect(weighJson(text, 2)).toBe(overflows ? 'number out of range' : undefined);
      }),
      { numRuns: 1_000, seed: 5 },
    );
  });
});

test('never throws, whatever the text', () => {
  const text = fc.array(fc.constantFrom(...'{}[]",:\\a1e.-+\uffff'), { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => void weighJson(given, 5)),
    { numRuns: 2_000, seed: 3 },
  );
});
