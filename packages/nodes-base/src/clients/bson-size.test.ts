import { expect, test } from '@jest/globals';
import { Binary, BSON, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'mongodb';
import { isBoundedBson } from './bson-size.ts';

const bytesOf = (document: object) => Buffer.from(BSON.serialize(document, { ignoreUndefined: false }));
const ofEveryType = {
  double: new Double(1.5),
  text: 'a string',
  document: { a: { b: [] } },
  array: [1, 'two', { three: 3 }],
  binary: new Binary(Buffer.from('bytes')),
  undefined: undefined,
  id: new ObjectId(),
  boolean: true,
  date: new Date(0),
  nothing: null,
  pattern: /a+b/i,
  code: new Code('return 1'),
  scoped: new Code('return x', { x: 1 }),
  int32: new Int32(7),
  timestamp: new Timestamp(7n),
  int64: Long.fromNumber(7),
  decimal: Decimal128.fromString('1.5'),
  smallest: new MinKey(),
  largest: new MaxKey(),
};

test('a document with values of every type is bounded', () => {
  expect(isBoundedBson(bytesOf(ofEveryType), { maxElements: 100 })).toBe(true);
  expect(isBoundedBson(bytesOf({}), { maxElements: 0 })).toBe(true);
});

test('elements are counted at all levels, except in skipped documents', () => {
  const document = bytesOf({ cursor: { firstBatch: [{ a: 1, b: 2 }, { a: 1 }] } });
  expect(isBoundedBson(document, { maxElements: 7 })).toBe(true);
  expect(isBoundedBson(document, { maxElements: 6 })).toBe(false);
  expect(isBoundedBson(document, { maxElements: 4, enters: (path) => path.length < 3 })).toBe(true);
});

test('a document that is nested too deeply is refused', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  expect(isBoundedBson(bytesOf(nested(199)), { maxElements: 1_000 })).toBe(true);
  expect(isBoundedBson(bytesOf(nested(200)), { maxElements: 1_000 })).toBe(false);
});

test('every truncated document, and every document with a changed length, is refused or remains bounded', () => {
  const document = bytesOf(ofEveryType);
  for (let length = 0; length < document.length; length++)
    expect(isBoundedBson(document.subarray(0, length), { maxElements: 100 })).toBe(false);
  for (let at = 0; at < document.length; at++) {
    for (const byte of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(document);
      changed[at] = byte;
      expect(typeof isBoundedBson(changed, { maxElements: 100 })).toBe('boolean');
    }
  }
});
