import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson } from '../../testing/fake-context.ts';
import { set } from './set.ts';

const json = (run: FakeRun) => runForJson(set, run);

describe('set 3 to 3.2', () => {
  const parameters = (...values: JsonObject[]): JsonObject => ({ fields: { values } });

  test('keeps input fields unless set to drop them', async () => {
    const fields = parameters({ name: 'b', stringValue: 'x' });
    expect(await json({ typeVersion: 3, json: [{ a: 1 }], parameters: fields })).toEqual([{ a: 1, b: 'x' }]);
    expect(await json({ typeVersion: 3.2, json: [{ a: 1 }], parameters: { ...fields, include: 'none' } })).toEqual([
      { b: 'x' },
    ]);
  });

  test('ignores conversion errors, except for objects', async () => {
    const run = (kind: string) =>
      json({
        typeVersion: 3.2,
        parameters: {
          ...parameters({ name: 'a', type: `${kind}Value`, [`${kind}Value`]: 'x' }),
          options: { ignoreConversionErrors: true },
        },
      });
    expect(await run('number')).toEqual([{ a: 'x' }]);
    await expect(run('object')).rejects.toThrow('must be of type object');
  });

  test.each<[JsonObject, string, string]>([
    [{ name: null }, '={{ null }}', 'null'],
    [{}, '={{ $json.none }}', 'undefined'],
    [{}, '', ''],
  ])('the name %j from the expression "%s" becomes "%s"', async (entry, written, name) => {
    const run = {
      typeVersion: 3.2,
      parameters: parameters({ ...entry, stringValue: 'x' }),
      written: parameters({ ...(written !== '' && { name: written }), stringValue: 'x' }),
    };
    expect(await json(run)).toEqual([{ [name]: 'x' }]);
  });

  test('finds the value under its type’s name, including defaults', async () => {
    const fields = parameters(
      { name: 'n', type: 'numberValue', numberValue: '5' },
      { name: 'b', type: 'booleanValue', booleanValue: 'false' },
      { name: 'yes', type: 'booleanValue' },
      { name: 'l', type: 'arrayValue', arrayValue: '["x"]' },
      { name: 'o', type: 'objectValue' },
    );
    expect(await json({ typeVersion: 3.1, parameters: fields })).toEqual([{ n: 5, b: false, yes: true, l: ['x'], o: {} }]);
  });
});

test.each([
  ['{"a":1', { a: 1 }],
  ['{"a": True,}', { a: true }],
  ["{'a':{b:[1}", { a: { b: [1] } }],
])('before version 3.3, the invalid JSON %s from an expression for an object is repaired', async (text, expected) => {
  const run = (objectValue: string) => {
    const values = [{ name: 'o', type: 'objectValue', objectValue: text }];
    const written = { fields: { values: [{ ...values[0], objectValue }] } };
    return json({ typeVersion: 3.2, parameters: { fields: { values } }, written });
  };
  expect(await run('={{ $json.text }}')).toEqual([{ o: expected }]);
  await expect(run(text)).rejects.toThrow('must be of type object');
});

test('a string field without a value is the string "null" in version 3, an error in 3.1, and null from 3.2 on', async () => {
  const run = (typeVersion: number, options: JsonObject = {}) =>
    json({ typeVersion, parameters: { fields: { values: [{ name: 'a', stringValue: null }] }, options } });
  expect(await run(3)).toEqual([{ a: 'null' }]);
  await expect(run(3.1)).rejects.toThrow('must be of type string');
  expect(await run(3.1, { ignoreConversionErrors: true })).toEqual([{ a: null }]);
  expect(await run(3.2)).toEqual([{ a: null }]);
});

test.each([3, 3.1, 3.2])('set %d keeps null regardless of the type', async (typeVersion) => {
  const fields = ['boolean', 'object', 'number'].map((kind) => ({ name: kind, type: `${kind}Value`, [`${kind}Value`]: null }));
  expect(await json({ typeVersion, parameters: { fields: { values: fields } } })).toEqual([
    { boolean: null, object: null, number: null },
  ]);
});

describe('set 1 and 2', () => {
  test.each<[number, JsonValue, JsonValue]>([
    [1, '5', '5'],
    [2, '5', 5],
    [2, ' 1.50 ', 1.5],
    [2, ' ', 0],
    [2, 'abc', 'abc'],
    [2, null, null],
  ])('version %d writes the number %j as %j', async (typeVersion, value, written) => {
    expect(await json({ typeVersion, parameters: { values: { number: [{ name: 'n', value }] } } })).toEqual([{ n: written }]);
  });

  test.each<[JsonValue, boolean]>([
    [null, false],
    ['', false],
    ['true', true],
    ['false', true],
    [[1], true],
  ])('the boolean %j is written as %j', async (value, written) => {
    for (const typeVersion of [1, 2]) {
      expect(await json({ typeVersion, parameters: { values: { boolean: [{ name: 'b', value }] } } })).toEqual([
        { b: written },
      ]);
    }
  });

  test.each([1, 2])('version %d: an expression without a value removes the field', async (typeVersion) => {
    const written = {
      values: {
        string: [
          { name: 'a', value: '={{ undefined }}' },
          { name: 'o.x', value: '={{ undefined }}' },
        ],
      },
    };
    const resolved = { values: { string: [{ name: 'a' }, { name: 'o.x' }] } };
    const context = fakeContext({ json: [{ a: 1, k: 2 }], typeVersion, parameters: resolved });
    const node = { name: 'N', type: 'base.set', position: [0, 0] as [number, number], parameters: written };
    expect(await set.execute?.({ ...context, node })).toMatchObject([[{ json: { k: 2, o: {} } }]]);
    expect(await json({ typeVersion, json: [{ a: 1, k: 2 }], parameters: resolved })).toEqual([{ a: '', k: 2, o: { x: '' } }]);
  });

  const values = { string: [{ name: 'a.b', value: 'x' }], number: [{ name: 'n', value: 5 }], boolean: [{ name: 'f' }] };

  test.each<[string, JsonObject, string, string]>([
    ['without a name', {}, '', 'propertyName'],
    ['with a name that is the string "null"', { name: null }, '', 'propertyName'],
    ['whose name is an expression that yields null', { name: null }, '={{ null }}', 'null'],
    ['whose name is an expression without a value', {}, '={{ $json.none }}', 'undefined'],
  ])('a field %s gets the name that authors expect', async (_, entry, written, name) => {
    const parameters = (more: JsonObject): JsonObject => ({ keepOnlySet: true, values: { string: [{ ...more, value: 'x' }] } });
    const run = {
      typeVersion: 2,
      parameters: parameters(entry),
      written: parameters(written === '' ? entry : { name: written }),
    };
    expect(await json(run)).toEqual([{ [name]: 'x' }]);
  });

  test('writes values unchanged and keeps the rest', async () => {
    expect(await json({ typeVersion: 1, json: [{ k: 1 }], parameters: { values } })).toEqual([
      { k: 1, a: { b: 'x' }, n: 5, f: false },
    ]);
  });

  test('keeps only the set fields with the option', async () => {
    const parameters = { values: { number: [{ name: 'n', value: 5 }] }, keepOnlySet: true };
    expect(await json({ typeVersion: 2, json: [{ k: 1 }], parameters })).toEqual([{ n: 5 }]);
  });
});
