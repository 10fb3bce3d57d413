import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { set } from './set.ts';

const binary = { file: { id: 'b1', mimeType: 'text/plain' } };
const assignment = (name: string, value: JsonValue, type = 'string'): JsonObject => ({ id: name, name, value, type });
const assignments = (...list: JsonObject[]): JsonObject => ({ assignments: { assignments: list } });
const json = (run: FakeRun) => runForJson(set, { typeVersion: 3.4, ...run });

describe('set 3.3 and later', () => {
  test('drops input fields unless set to keep them', async () => {
    const parameters = assignments(assignment('b', 'x'));
    expect(await json({ json: [{ a: 1 }], parameters })).toEqual([{ b: 'x' }]);
    expect(await json({ json: [{ a: 1 }], parameters: { ...parameters, includeOtherFields: true } })).toEqual([
      { a: 1, b: 'x' },
    ]);
  });

  test('writes each item its own values, paired with it', async () => {
    const parameters = (index: number) => assignments(assignment('n', index, 'number'));
    expect(await runNode(set, { json: [{}, {}], parameters })).toEqual([
      [
        { json: { n: 0 }, pairedItem: { item: 0 } },
        { json: { n: 1 }, pairedItem: { item: 1 } },
      ],
    ]);
  });

  test('an empty name is valid', async () => {
    expect(await json({ parameters: assignments(assignment('', 'x')) })).toEqual([{ '': 'x' }]);
  });

  test('a null or missing name becomes the text "null" or "undefined"', async () => {
    const parameters = assignments({ name: null, value: 'x' }, { value: 'y' });
    expect(await json({ parameters })).toEqual([{ null: 'x', undefined: 'y' }]);
  });

  test('an empty text for a boolean means its default', async () => {
    const empty = { includeOtherFields: '', options: { dotNotation: '' } };
    const parameters = { ...assignments(assignment('a.b', 'x')), ...empty };
    expect(await json({ json: [{ n: 1 }], parameters })).toEqual([{ a: { b: 'x' } }]);
  });

  test('dot paths nest and keep siblings, unless dot notation is off', async () => {
    const parameters = { ...assignments(assignment('a.b', 'x')), includeOtherFields: true };
    expect(await json({ json: [{ a: { c: 1 } }], parameters })).toEqual([{ a: { c: 1, b: 'x' } }]);
    const flat = { ...assignments(assignment('a.b', 'x')), options: { dotNotation: false } };
    expect(await json({ parameters: flat })).toEqual([{ 'a.b': 'x' }]);
  });

  test('values are converted to their type', async () => {
    const parameters = assignments(
      assignment('s', 5),
      assignment('n', '5', 'number'),
      assignment('b', 'true', 'boolean'),
      assignment('l', '[1]', 'array'),
      assignment('o', '{"x":1}', 'object'),
    );
    expect(await json({ parameters })).toEqual([{ s: '5', n: 5, b: true, l: [1], o: { x: 1 } }]);
  });

  test('a value of the type null is kept as it is', async () => {
    const parameters = assignments(assignment('a', {}, 'null'), assignment('b', null, 'null'), assignment('c', 5, 'null'));
    expect(await json({ parameters })).toEqual([{ a: {}, b: null, c: 5 }]);
  });

  test.each([3.3, 3.4, 3.5])('version %d: an empty or blank number is 0', async (typeVersion) => {
    expect(await json({ typeVersion, parameters: assignments(assignment('n', '', 'number')) })).toEqual([{ n: 0 }]);
    expect(await json({ typeVersion, parameters: assignments(assignment('n', ' ', 'number')) })).toEqual([{ n: 0 }]);
  });

  test('a missing value becomes null, regardless of the type', async () => {
    const parameters = assignments(assignment('a', null, 'number'), { name: 'b', type: 'object' });
    expect(await json({ parameters })).toEqual([{ a: null, b: null }]);
  });

  test('the error for a value that does not fit its type contains the field and the item', async () => {
    const parameters = assignments(assignment('age', 'old', 'number'));
    await expect(json({ json: [{}], parameters })).rejects.toMatchObject({
      message: 'the field "age" must be of type number, but its value is the text "old"',
      itemIndex: 0,
    });
    expect(await json({ parameters: { ...parameters, options: { ignoreConversionErrors: true } } })).toEqual([{ age: 'old' }]);
  });

  test('a failed item becomes an item with an error if the node continues', async () => {
    const parameters = (index: number) => assignments(assignment('n', index === 0 ? 'x' : '2', 'number'));
    const [items] = await runNode(set, { json: [{ id: 1 }, { id: 2 }], parameters, continueOnFail: true });
    expect(items).toEqual([
      { json: { error: expect.stringContaining('"n"') }, pairedItem: { item: 0 } },
      { json: { n: 2 }, pairedItem: { item: 1 } },
    ]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['selected', { include: 'selected', includeFields: 'a, o.x, none' }, { a: 1, x: 3 }],
    ['selected with an index', { include: 'selected', includeFields: 'l[0]' }, { l: [null] }],
    ['except', { include: 'except', excludeFields: 'a,o.x' }, { b: 2, o: { y: 4 } }],
    ['all', { include: 'all' }, { a: 1, b: 2, o: { x: 3, y: 4 } }],
  ])('includes %s fields', async (_, parameters, expected) => {
    const input = [{ a: 1, b: 2, o: { x: 3, y: 4 } }];
    expect(await json({ json: input, parameters: { includeOtherFields: true, ...parameters } })).toEqual([expected]);
  });

  test.each(['Infinity', '-1e999'])('%s is not a JSON number', async (value) => {
    const parameters = { assignments: { assignments: [{ name: 'n', type: 'number', value }] } };
    await expect(json({ parameters })).rejects.toThrow('must be of type number');
    expect(await json({ parameters: { ...parameters, options: { ignoreConversionErrors: true } } })).toEqual([{ n: value }]);
  });

  test.each<[string, JsonValue]>([
    ['text', '{"a":{"b":1}}'],
    ['an object', { a: { b: 1 } }],
  ])('raw mode accepts %s', async (_, jsonOutput) => {
    const parameters = { mode: 'raw', jsonOutput, includeOtherFields: true };
    expect(await json({ json: [{ x: 0 }], parameters })).toEqual([{ x: 0, a: { b: 1 } }]);
  });

  test.each<[JsonValue, JsonObject]>([
    ["{a: 1, 'b': [2,],}", { a: 1, b: [2] }],
    ['{a: b, c: True}', { a: 'b', c: true }],
    ['{"a.b": 1, "o": {"x.y": 2}}', { a: { b: 1 }, o: { 'x.y': 2 } }],
    [['{"a":', { x: 1 }, ',"b":"', null, '"}'], { a: { x: 1 }, b: 'null' }],
    [['{"a":"', 'two\nlines', '"}'], { a: 'two\nlines' }],
    [['', { a: 1 }, ' '], { a: 1 }],
  ])('raw mode reads %j', async (jsonOutput, expected) => {
    expect(await json({ parameters: { mode: 'raw', jsonOutput } })).toEqual([expected]);
  });

  test('raw mode without dot notation keeps dots in names, and without JSON returns an example', async () => {
    const parameters = { mode: 'raw', jsonOutput: '{"a.b":1}', options: { dotNotation: false } };
    expect(await json({ parameters })).toEqual([{ 'a.b': 1 }]);
    expect(await json({ parameters: { mode: 'raw' } })).toEqual([{ my_field_1: 'value', my_field_2: 1 }]);
  });

  test('raw mode repairs more in text with expressions than in author text', async () => {
    const raw = (jsonOutput: JsonValue) => json({ parameters: { mode: 'raw', jsonOutput } });
    expect(await raw(['', '{"a":1', ''])).toEqual([{ a: 1 }]);
    await expect(raw('{"a":1')).rejects.toThrow('"jsonOutput" must be a JSON object');
  });

  test.each<[JsonValue, string]>([
    ['{a', 'must be a JSON object'],
    [null, 'must be a JSON object'],
    ['[1]', 'must be a JSON object'],
    [5, 'must be a JSON object'],
  ])('the error of raw mode for %j contains the parameter name', async (jsonOutput, message) => {
    const run = json({ parameters: { mode: 'raw', jsonOutput } });
    await expect(run).rejects.toThrow(`"jsonOutput" ${message}`);
  });

  test.each<[number, JsonObject, boolean]>([
    [3.4, { includeOtherFields: true }, true],
    [3.4, { includeOtherFields: true, options: { stripBinary: true } }, false],
    [3.4, {}, false],
    [3.3, { includeOtherFields: true }, false],
    [3.3, { options: { includeBinary: true } }, true],
    [2, {}, true],
    [1, { keepOnlySet: true }, false],
  ])('version %d with %j keeps binary data: %s', async (typeVersion, parameters, keepsBinary) => {
    const [items] = await runNode(set, { inputs: [[{ json: {}, binary }]], typeVersion, parameters });
    expect(items?.[0]?.binary).toEqual(keepsBinary ? binary : undefined);
  });

  test('duplicates follow their item, and their number is limited', async () => {
    const parameters = { ...assignments(assignment('a', 'x')), duplicateItem: true };
    expect(await json({ parameters: { ...parameters, duplicateCount: 2 } })).toEqual([{ a: 'x' }, { a: 'x' }, { a: 'x' }]);
    await expect(json({ parameters: { ...parameters, duplicateCount: 1e9 } })).rejects.toThrow('duplicateCount');
    const many = Array.from({ length: 200 }, () => ({}));
    await expect(json({ json: many, parameters: { ...parameters, duplicateCount: 1_000 } })).rejects.toThrow('100000 items');
  });

  test.each([
    [assignments(assignment('a', 'x', 'binary')), 'the field "a" has an unknown type: the text "binary"'],
    [{ assignments: { assignments: 'x' } }, '"assignments.assignments"'],
    [{ assignments: 'oops' }, 'the parameter "assignments" must be an object'],
    [{ mode: 'magic' }, '"mode"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(json({ parameters })).rejects.toThrow(message);
  });

  test('hostile names pollute nothing', async () => {
    const [item] = await json({
      parameters: assignments(assignment('__proto__.polluted', 'x'), assignment('constructor.prototype.polluted', 'x')),
    });
    expect(Object.keys(item ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });
});

describe('many fields take linear time', () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `a.f${index}`);
  const entries = (type: string) => names.map((name) => ({ name, type, stringValue: 'x', value: 'x' }));
  const wide = Object.fromEntries(names.map((name) => [name, 1]));

  test.each<[string, number, JsonObject]>([
    ['assignments', 3.4, assignments(...entries('string'))],
    ['fields of version 3', 3, { fields: { values: entries('stringValue') }, include: 'none' }],
    ['values of version 1', 1, { values: { string: entries('string') }, keepOnlySet: true }],
    ['members of a JSON object', 3.4, { mode: 'raw', jsonOutput: wide }],
    ['included fields', 3.4, { includeOtherFields: true, include: 'selected', includeFields: names.join(',') }],
    ['excluded fields', 3.4, { includeOtherFields: true, include: 'except', excludeFields: names.join(',') }],
  ])('%s', async (_, typeVersion, parameters) => {
    const source = { a: Object.fromEntries(names.map((name) => [name.slice(2), 1])), b: 1 };
    const busy = await longestBusy(() => json({ json: [source], typeVersion, parameters }));
    expect(busy).toBeLessThan(2_000); // minutes if each field copied the others
  });
});
