import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault, maxJsonParts } from './find-json-fault.ts';

const faultOf = (text: string, maxDepth = 100, uniqueKeys = true) => findJsonFault(Buffer.from(text), { maxDepth, uniqueKeys });
/** Finds a fault, with duplicate keys allowed. */
const burdenOf = (text: string, maxDepth = 100) => faultOf(text, maxDepth, false)?.fault;

const listOf = (count: number, write: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, i) => write(i)).join()}]`;

test('nesting outside of strings is accepted up to the limit', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(burdenOf(nested(100))).toBeUndefined();
  expect(burdenOf(nested(101))).toBe('too deep');
  expect(burdenOf('{"a":[{"b":1}]}', 2)).toBe('too deep');
  expect(burdenOf('["[[[[","\\"[[[[","\\\\"]', 1)).toBeUndefined();
  expect(burdenOf('["\\\\",[[1]]]', 2)).toBe('too deep');
  expect(burdenOf(']]}'.repeat(10) + nested(101))).toBe('too deep');
});

describe('parts', () => {
  test.each([
    ['empty arrays', `[${'[],'.repeat(5_000_000)}1]`],
    ['empty objects', `[${'{},'.repeat(5_000_000)}1]`],
    ['strings', `[${'"",'.repeat(maxJsonParts)}1]`],
    ['different keys of one object', `{${listOf(450_000, (i) => `"k${i}":1`).slice(1, -1)}}`],
    ['different keys of many objects', listOf(45_000, (i) => `{${listOf(10, (j) => `"k${i}-${j}":1`).slice(1, -1)}}`)],
    ['repeated keys', `[${'{"a":1,"b":1},'.repeat(700_000)}1]`],
  ])('of JSON that consists only of %s are too many', (_, text) => {
    expect(burdenOf(text)).toBe('too many parts');
  });

  test.each([
    ['10,000 items of 30 strings', listOf(10_000, (i) => `{${listOf(30, (j) => `"field${j}":"v${i}-${j}"`).slice(1, -1)}}`)],
    ['100,000 items of 9 numbers', listOf(100_000, (i) => `{${listOf(9, (j) => `"f${j}":${i + j}`).slice(1, -1)}}`)],
    ['100,000 values by ID', `{${listOf(100_000, (i) => `"id-${i}":{"n":1}`).slice(1, -1)}}`],
    ['seven million numbers', `[${'1,'.repeat(7_000_000)}1]`],
    ['one string', JSON.stringify('"[{:,'.repeat(2_000_000))],
  ])('of %s are few enough', (_, text) => {
    expect(burdenOf(text)).toBeUndefined();
  });
});

describe('numbers', () => {
  test.each(['1e400', '[-1e400]', '{"a":[{"b":1E+400}]}', '[2e308]', `[1,${'9'.repeat(310)}]`, `{"a":-${'9'.repeat(309)}.5}`])(
    'that a double cannot represent are found: %.30s',
    (text) => {
      expect(burdenOf(text)).toBe('number out of range');
    },
  );

  test.each([
    '1e308',
    '[1.7976931348623157e308]',
    '1e-400',
    `0.${'9'.repeat(400)}`,
    '{"a":[1.5,"1e400",null]}',
    '["\\"1e400"]',
  ])('of %.30s are accepted', (text) => {
    expect(burdenOf(text)).toBeUndefined();
  });

  test.each([
    ['1e400', ''],
    ['{"a":{"x":1},"b/c":[0,{"d":1e400}]}', '/b~1c/1/d'],
  ])('that a double cannot represent are reported with their path: %s', (text, path) => {
    const rules = { maxDepth: 100, uniqueKeys: true };
    expect(findJsonFault(Buffer.from(text), rules)).toEqual({ fault: 'number out of range', path });
  });

  test('are rejected only where JSON.parse would return infinity', () => {
    const digits = fc.stringMatching(/^[0-9]{1,4}$/).map((text) => text.replace(/^0+(?=.)/, ''));
    const written = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.option(fc.tuple(fc.constantFrom('e', 'E+', 'e-'), digits)))
      .map(([sign, integer, part, power]) => `${sign}${integer}${part ? `.${part}` : ''}${power ? power.join('') : ''}`);
    fc.assert(
      fc.property(fc.array(written, { maxLength: 5 }), (numbers) => {
        const text = `[${numbers.join()}]`;
        const overflows = (JSON.parse(text) as number[]).some((number) => !Number.isFinite(number));
        expect(burdenOf(text, 2)).toBe(overflows ? 'number out of range' : undefined);
      }),
      { numRuns: 1_000, seed: 5 },
    );
  });
});

const repeated = (path: string) => ({ fault: 'repeated key', path });

describe('a duplicate key in one object', () => {
  test.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"b":{"c":{"d":[]},"a":0},"a":2}', '/a'],
    ['{"a":{},"b":[1,{"x":0},{"c":{"d":1,"e":2,"d":3}}]}', '/b/2/c/d'],
    ['{"a" : "}", "b":[{}], "a":1}', '/a'],
    ['{"":1,"":2}', '/'],
    ['{"a/b~c":1,"a/b~c":2}', '/a~1b~0c'],
    ['{"é":1,"é":2}', '/é'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"é":1,"\\u00e9":2}', '/é'],
    ['{"\\ud83d\\ude00":1,"😀":2}', '/😀'],
    [`{${Array.from({ length: 30 }, (_, i) => `"k${i}":0`).join()},"k29":0}`, '/k29'],
  ])('is found in %s', (text, path) => {
    expect(faultOf(text)).toEqual(repeated(path));
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"\\ud800":1,"\\ud801":2,"\\ufffd":3}',
    '{"a":1,"A":1,"a ":1}',
    '["a","a"]',
    '{"a":["b","c"],"b":{"c":1},"c":"b"}',
  ])('is not found in %s', (text) => {
    expect(faultOf(text)).toBeUndefined();
  });
});

/** Arbitrary JSON text, with whether one of its objects repeats a key. */
interface Written {
  text: string;
  repeats: boolean;
}

const space = fc.constantFrom('', '', ' ', '\n\t');
const escapes = (key: string) =>
  Array.from(key, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const keys = fc.constantFrom('a', 'b', 'é', '"', '\\', '__proto__', '');
const writtenKey = fc.tuple(keys, fc.boolean()).map(([key, escaped]) => ({
  key,
  text: escaped ? `"${escapes(key)}"` : JSON.stringify(key),
}));
const { value: written } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
      .map((leaf) => ({
        text: JSON.stringify(leaf),
        repeats: false,
      })),
    fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([items, gap]) => ({
      text: `[${gap}${items.map(({ text }) => text).join(`${gap},`)}]`,
      repeats: items.some(({ repeats }) => repeats),
    })),
    fc.tuple(fc.array(fc.tuple(writtenKey, tie('value')), { maxLength: 4 }), space).map(([members, gap]) => ({
      text: `{${members.map(([name, { text }]) => `${gap}${name.text}${gap}:${gap}${text}`).join()}}`,
      repeats: new Set(members.map(([{ key }]) => key)).size < members.length || members.some(([, { repeats }]) => repeats),
    })),
  ),
}));

test('detects for any JSON whether JSON.parse would lose data', () => {
  fc.assert(
    fc.property(written, ({ text, repeats }) => {
      JSON.parse(text); // does not throw: the text is valid JSON
      expect(faultOf(text)?.fault).toBe(repeats ? 'repeated key' : undefined);
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('accepts the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      expect(faultOf(text)).toBeUndefined();
    }),
    { numRuns: 500, seed: 3 },
  );
});

test.each([
  ['deeply nested', '['.repeat(8_000_000)],
  ['made of escaped quotes', `["${'\\"'.repeat(4_000_000)}"]`],
  ['one string of backslashes', `["${'\\'.repeat(8_000_000)}`],
  ['made of short strings', `["${'","'.repeat(2_500_000)}"]`],
  ['one object with many keys', `{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":0`).join()}}`],
  ['one object with long keys', `{${Array.from({ length: 80 }, (_, i) => `"${'k'.repeat(100_000)}${i}":0`).join()}}`],
])('a hostile body that is %s is scanned in linear time', (_, text) => {
  const bytes = Buffer.from(text);
  const before = process.cpuUsage();
  findJsonFault(bytes, { maxDepth: 100, uniqueKeys: true });
  // CPU time, so that a busy machine does not fail the test. A nonlinear scan would take hours.
  expect(process.cpuUsage(before).user).toBeLessThan(100_000_000);
});

describe('arbitrary bytes', () => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('{}[]",:\\a1e.-+\xff')), { maxLength: 40 });

  test.each([true, false])('do not throw (unique keys: %s)', (uniqueKeys) => {
    fc.assert(
      fc.property(bytes, (input) => void findJsonFault(Buffer.from(input), { maxDepth: 5, uniqueKeys })),
      { numRuns: 2_000, seed: 3 },
    );
  });
});
