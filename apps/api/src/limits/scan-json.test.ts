import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scanJson } from './scan-json.ts';

const scan = (text: string, maxDepth = 100) => scanJson(Buffer.from(text), maxDepth);
const repeated = (path: string) => ({ fault: 'repeated key', path });

describe('a key that stands twice in one object', () => {
  test.each([
    ['{"a":1,"a":2}', '/a'],
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
    expect(scan(text)).toEqual(repeated(path));
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"\\ud800":1,"\\ud801":2,"\\ufffd":3}',
    '{"a":1,"A":1,"a ":1}',
    '["a","a"]',
  ])('is not what %s has', (text) => {
    expect(scan(text)).toBeUndefined();
  });
});

test('nesting counts, wherever it is, but within strings', () => {
  expect(scan('{"a":[{"b":1}]}', 3)).toBeUndefined();
  expect(scan('{"a":[{"b":1}]}', 2)).toEqual({ fault: 'too deep' });
  expect(scan('["[[[[","\\"[[[[","\\\\"]', 1)).toBeUndefined();
  expect(scan('["\\\\",[[1]]]', 2)).toEqual({ fault: 'too deep' });
});

/** JSON text as anybody might write it, and whether one of its objects names a key twice. */
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

test('says of all JSON whether JSON.parse would lose something of it', () => {
  fc.assert(
    fc.property(written, ({ text, repeats }) => {
      JSON.parse(text); // it is JSON
      expect(scan(text)?.fault).toBe(repeats ? 'repeated key' : undefined);
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('finds nothing in what JSON.stringify makes', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      expect(scan(text)).toBeUndefined();
    }),
    { numRuns: 500, seed: 3 },
  );
});

test('never throws, whatever the bytes', () => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('{}[]",:\\a\xff')), { maxLength: 40 });
  fc.assert(
    fc.property(bytes, (given) => void scanJson(Buffer.from(given), 5)),
    { numRuns: 2_000, seed: 3 },
  );
});

test.each([
  ['nested', '['.repeat(8_000_000)],
  ['of escaped quotes', `["${'\\"'.repeat(4_000_000)}"]`],
  ['one string of backslashes', `["${'\\'.repeat(8_000_000)}`],
  ['of short strings', `["${'","'.repeat(2_500_000)}"]`],
  ['one object of many keys', `{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":0`).join()}}`],
  ['of long keys', `{${Array.from({ length: 80 }, (_, i) => `"${'k'.repeat(100_000)}${i}":0`).join()}}`],
])('a hostile body that is %s takes little time', (_, text) => {
  const bytes = Buffer.from(text);
  const before = process.cpuUsage();
  scanJson(bytes, 100);
  // Of the processor, so that a busy machine is no failure; a scan whose cost is no line would take hours.
  expect(process.cpuUsage(before).user).toBeLessThan(100_000_000);
});
