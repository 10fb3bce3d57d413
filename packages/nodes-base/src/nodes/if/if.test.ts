import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { ifNode } from './if.ts';

type Condition = [type: string, operation: string, leftValue: JsonValue, rightValue?: JsonValue];

const filter = (conditions: Condition[], options: JsonObject = {}, combinator = 'and'): JsonObject => ({
  conditions: {
    options: { caseSensitive: true, typeValidation: 'strict', version: 2, ...options },
    conditions: conditions.map(([type, operation, leftValue, rightValue = '']) => ({
      leftValue,
      rightValue,
      operator: { type, operation },
    })),
    combinator,
  },
});

async function holds(parameters: JsonObject, typeVersion = 2.2): Promise<boolean> {
  const [met, unmet] = await runNode(ifNode, { parameters, typeVersion });
  expect((met?.length ?? 0) + (unmet?.length ?? 0)).toBe(1);
  return met?.length === 1;
}

describe('if 2', () => {
  test('sends each item to its branch, paired with itself', async () => {
    const parameters = (index: number) => filter([['number', 'equals', index, 1]]);
    expect(await runNode(ifNode, { json: [{ n: 0 }, { n: 1 }], parameters })).toEqual([
      [{ json: { n: 1 }, pairedItem: { item: 1 } }],
      [{ json: { n: 0 }, pairedItem: { item: 0 } }],
    ]);
  });

  test.each(['strict', 'loose'])(
    'the error for an operand of a wrong type names the item and the fix: %s',
    async (typeValidation) => {
      const parameters = (index: number) => filter([['number', 'gt', index === 0 ? 1 : 'many', 1]], { typeValidation });
      await expect(runNode(ifNode, { json: [{}, {}], parameters })).rejects.toMatchObject({
        name: 'NodeOperationError',
        code: 'NODE_OPERATION_ERROR',
        message: 'the left value of condition 1 must be a number, but is the text "many"',
        description: expect.stringContaining('hange the type of the condition'),
        itemIndex: 1,
      });
    },
  );

  test.each<[Condition, boolean]>([
    [['string', 'equals', 'a', 'a'], true],
    [['string', 'equals', 'a', 'A'], false],
    [['string', 'notEquals', 'a', 'A'], true],
    [['string', 'contains', 'abc', 'b'], true],
    [['string', 'notContains', 'abc', 'b'], false],
    [['string', 'startsWith', 'abc', 'ab'], true],
    [['string', 'notStartsWith', 'abc', 'ab'], false],
    [['string', 'endsWith', 'abc', 'bc'], true],
    [['string', 'notEndsWith', 'abc', 'bc'], false],
    [['string', 'regex', 'abc', '^a.c$'], true],
    [['string', 'notRegex', 'abc', '/B/i'], false],
    [['string', 'exists', ''], true],
    [['string', 'exists', null], false],
    [['string', 'notExists', null], true],
    [['string', 'empty', ''], true],
    [['string', 'notEmpty', 'x'], true],
    [['number', 'equals', 5, 5], true],
    [['number', 'notEquals', 5, 5], false],
    [['number', 'gt', 6, 5], true],
    [['number', 'lt', 6, 5], false],
    [['number', 'gte', 5, 5], true],
    [['number', 'lte', 5, 5], true],
    [['number', 'gt', null, 5], false],
    [['number', 'lte', null, 0], true],
    [['number', 'gt', 1, null], true],
    [['boolean', 'false', null], true],
    [['dateTime', 'notEquals', null, '2024-01-01'], false],
    [['dateTime', 'after', '1/31/2024', '2024-01-30'], true],
    [['dateTime', 'equals', 'Jan 2, 2024', '2024-01-02'], true],
    [['dateTime', 'equals', 'Tue Jan 02 2024 10:00:00 GMT+0100 (CET)', '2024-01-02T09:00:00Z'], true],
    [['array', 'lengthEquals', null, 0], true],
    [['array', 'lengthLt', null, 1], true],
    [['number', 'empty', null], true],
    [['number', 'notEmpty', 0], true],
    [['boolean', 'true', true], true],
    [['boolean', 'false', true], false],
    [['boolean', 'equals', true, true], true],
    [['boolean', 'notEquals', true, false], true],
    [['dateTime', 'after', '2024-01-02', '2024-01-01T23:00:00Z'], true],
    [['dateTime', 'before', '2024-01-02', '2024-01-01'], false],
    [['dateTime', 'equals', '2024-01-01T12:00:00Z', '2024-01-01T13:00:00+01:00'], true],
    [['dateTime', 'notEquals', '2024-01-01', '2024-01-02'], true],
    [['dateTime', 'afterOrEquals', '2024-01-01', '2024-01-01'], true],
    [['dateTime', 'beforeOrEquals', '2024-01-01', '2024-01-01'], true],
    [['array', 'contains', ['a', { b: [1] }], { b: [1] }], true],
    [['array', 'notContains', ['a'], 'A'], true],
    [['array', 'lengthEquals', [1, 2], 2], true],
    [['array', 'lengthNotEquals', [1, 2], 2], false],
    [['array', 'lengthGt', [1, 2], 1], true],
    [['array', 'lengthLt', [1, 2], 1], false],
    [['array', 'lengthGte', [1, 2], 2], true],
    [['array', 'lengthLte', [1, 2], 2], true],
    [['array', 'empty', []], true],
    [['array', 'notEmpty', []], false],
    [['object', 'empty', {}], true],
    [['object', 'notEmpty', { a: 1 }], true],
    [['object', 'exists', {}], true],
  ])('%j is %s', async (condition, expected) => {
    expect(await holds(filter([condition]))).toBe(expected);
  });

  test('"and" needs all conditions, "or" needs one', async () => {
    const conditions: Condition[] = [
      ['number', 'gt', 1, 0],
      ['number', 'gt', 0, 1],
    ];
    expect(await holds(filter(conditions))).toBe(false);
    expect(await holds(filter(conditions, {}, 'or'))).toBe(true);
  });

  test.each<[Condition, boolean]>([
    [['string', 'equals', 'Ab', 'aB'], true],
    [['string', 'regex', 'ABC', '^abc$'], true],
    [['array', 'contains', ['Ab'], 'aB'], true],
  ])('without case %j is %s', async (condition, expected) => {
    expect(await holds(filter([condition], { caseSensitive: false }))).toBe(expected);
  });

  test.each<[Condition, string]>([
    [['number', 'equals', '5', 5], 'the left value of condition 1 must be a number, but is the text "5"'],
    [['number', 'equals', 5, '5'], 'the right value of condition 1 must be a number, but is the text "5"'],
    [['string', 'equals', 5, 'x'], 'the left value of condition 1 must be a string, but is the number 5'],
    [['boolean', 'true', 'true'], 'must be true or false'],
    [['dateTime', 'after', 'soon', '2024-01-01'], 'must be a date'],
    [['array', 'contains', '[1]', 1], 'must be a list'],
    [['object', 'exists', 'a'], 'the left value of condition 1 must be an object, but is the text "a"'],
    [['number', 'notEmpty', ''], 'must be a number'],
    [['dateTime', 'exists', '5'], 'must be a date'],
    [['dateTime', 'exists', '2024-02-30'], 'must be a date'],
  ])('strict types: the error for %j contains the condition', async (condition, message) => {
    await expect(holds(filter([condition]))).rejects.toThrow(message);
  });

  test.each<[Condition, number, boolean]>([
    [['number', 'equals', '5', '5'], 1, true],
    [['string', 'equals', 5, '5'], 1, true],
    [['boolean', 'true', 'false'], 1, true],
    [['boolean', 'true', 'false'], 2, false],
    [['boolean', 'true', 1], 2, true],
    [['number', 'equals', '', 0], 2, true],
    [['number', 'equals', '', 0], 3, false],
    [['array', 'lengthEquals', '[1,2]', '2'], 2, true],
    [['dateTime', 'after', 1, '1970-01-01'], 2, true],
    [['boolean', 'true', 'no'], 2, true],
    [['boolean', 'true', []], 1, true],
    [['boolean', 'true', []], 2, false],
    [['boolean', 'false', 'FALSE'], 2, true],
    [['number', 'equals', [], 0], 2, true],
    [['number', 'notExists', ' '], 3, true],
    [['object', 'notExists', 'null'], 2, true],
    [['object', 'notEmpty', '{"a":1}'], 2, true],
  ])('loose types: %j under options version %d is %s', async (condition, version, expected) => {
    expect(await holds(filter([condition], { typeValidation: 'loose', version }))).toBe(expected);
  });

  test('loose types: what cannot be converted is an error', async () => {
    await expect(holds(filter([['number', 'gt', 'x', 1]], { typeValidation: 'loose' }))).rejects.toThrow('condition 1');
  });

  test.each<[JsonObject, number]>([
    [{ looseTypeValidation: true }, 2.1],
    [{ options: { looseTypeValidation: true } }, 2],
  ])('the node’s own options apply if the conditions store no options: %j', async (more, typeVersion) => {
    const { conditions } = filter([['number', 'equals', '5', 5]]) as { conditions: JsonObject };
    expect(await holds({ conditions: { ...conditions, options: {} }, ...more }, typeVersion)).toBe(true);
  });

  test.each<[Condition]>([
    [['string', 'equal', 'a', 'a']],
    [['string', 'isEmpty', '']],
    [['number', 'larger', 2, 1]],
    [['number', 'contains', 12, 1]],
    [['array', 'equals', [1], [1]]],
    [['any', 'equal', 1, 1]],
  ])('%j, an operation that the type lacks, is never met, and adds one hint', async (condition) => {
    const hints: string[] = [];
    const addHints = (...added: readonly { message: string }[]) => void hints.push(...added.map(({ message }) => message));
    const parameters = () => filter([condition]);
    const [met] = await runNode(ifNode, { json: [{}, {}], parameters, typeVersion: 2.2, addHints });
    expect(met).toEqual([]);
    expect(hints).toEqual([expect.stringContaining(`condition 1 is never met: the type "${condition[0]}"`)]);
  });

  test('the operands of an operation that the type lacks must have the type', async () => {
    await expect(holds(filter([['number', 'isEmpty', 'x', 1]]))).rejects.toThrow('the left value of condition 1');
    await expect(holds(filter([['number', 'equal', 1, 'x']]))).rejects.toThrow('the right value of condition 1');
    const single = { leftValue: 1, rightValue: 'x', operator: { type: 'number', operation: 'isEmpty', singleValue: true } };
    expect(await holds({ conditions: { conditions: [single] } })).toBe(false);
  });

  test('a failed item goes to the second branch unchanged if the node continues on its regular outputs', async () => {
    const parameters = filter([['number', 'equals', 'x', 1]]);
    const unmet = await runForJson(ifNode, { json: [{ id: 1 }], parameters, continueOnFail: true }, 1);
    expect(unmet).toEqual([{ id: 1 }]);
  });

  test('a failed item is marked as failed if the node has an error output', async () => {
    const parameters = filter([['number', 'equals', 'x', 1]]);
    const unmet = await runForJson(ifNode, { json: [{ id: 1 }], parameters, onError: 'continueErrorOutput' }, 1);
    expect(unmet).toEqual([{ error: expect.stringContaining('condition 1') }]);
  });

  test.each<[JsonObject, string]>([
    [filter([['string', 'resembles', 'a', 'b']]), 'condition 1'],
    [filter([['money', 'equals', 1, 1]]), 'condition 1'],
    [filter([['string', '__proto__', 'a', 'b']]), 'condition 1'],
    [{ conditions: { conditions: 'x' } }, '"conditions.conditions"'],
    [{ conditions: 'x' }, 'the parameter "conditions" must be an object'],
    [filter([['string', 'regex', 'a', '(?=a)']]), 'condition 1'],
  ])('%j is refused', async (parameters, message) => {
    await expect(holds(parameters)).rejects.toThrow(message);
  });
});

describe('if 1', () => {
  const one = (kind: string, operation: string | undefined, value1: JsonValue, value2: JsonValue): JsonObject => ({
    conditions: { [kind]: [operation === undefined ? { value1, value2 } : { value1, operation, value2 }] },
  });

  test.each<[string, string | undefined, JsonValue, JsonValue, boolean]>([
    ['boolean', undefined, true, true, true],
    ['boolean', 'notEqual', true, true, false],
    ['dateTime', undefined, '2024-01-02', '2024-01-01', true],
    ['dateTime', 'before', '2024-01-02', '2024-01-01', false],
    ['number', undefined, 1, 2, true],
    ['number', 'larger', '3', 2, true],
    ['number', 'equal', 2, 2, true],
    ['number', 'isEmpty', null, 0, true],
    ['number', 'isEmpty', {}, 0, true],
    ['number', 'equal', '2', 2, false],
    ['number', 'smallerEqual', null, '', true],
    ['number', 'smallerEqual', 'b', 'a', false],
    ['string', undefined, 5, '5', false],
    ['string', undefined, 5, 5, true],
    ['string', 'contains', false, '', true],
    ['string', 'startsWith', 5, '5', true],
    ['string', 'startsWith', 'a', null, false],
    ['string', 'notEndsWith', 'a', null, true],
    ['dateTime', undefined, '1/2/2024', '2024-01-01', true],
    ['string', 'contains', 'abc', 'b', true],
    ['string', 'notStartsWith', 'abc', 'b', true],
    ['string', 'regex', 'abc', '/A.C/i', true],
    ['string', 'isNotEmpty', '', '', false],
    ['string', 'contains', [1, { toString: 'data' }], '1,[object', true],
    ['number', 'larger', { toString: 'data' }, 1, false],
  ])('%s %s of %j and %j is %s', async (kind, operation, value1, value2, expected) => {
    expect(await holds(one(kind, operation, value1, value2), 1)).toBe(expected);
  });

  test.each<[JsonObject, string]>([
    [{ conditions: { number: { value1: 1, value2: 2 } } }, 'the parameter "conditions.number" must be a list of conditions'],
    [{ conditions: { string: ['x'] } }, '"conditions.string"'],
    [{ conditions: { string: null } }, '"conditions.string"'],
    [{ conditions: null }, 'the parameter "conditions" must be an object, but is null'],
    [{ conditions: 5 }, 'the parameter "conditions" must be an object'],
  ])('%j is refused', async (parameters, message) => {
    await expect(holds(parameters, 1)).rejects.toThrow(message);
  });

  test('either all conditions must be met, or any condition', async () => {
    const conditions = { number: [{ value1: 1, value2: 2 }], string: [{ value1: 'a', value2: 'b' }] };
    expect(await holds({ conditions }, 1)).toBe(false);
    expect(await holds({ conditions, combineOperation: 'any' }, 1)).toBe(true);
  });

  test('an empty list of conditions is met under "all", but not under "any"', async () => {
    expect(await holds({}, 1)).toBe(true);
    expect(await holds({ combineOperation: 'any' }, 1)).toBe(false);
  });

  test('an invalid date and an unknown operation are errors', async () => {
    await expect(holds(one('dateTime', 'after', 'x', 'y'), 1)).rejects.toThrow('needs a date');
    await expect(holds(one('string', 'resembles', 'x', 'y'), 1)).rejects.toThrow('unknown operation');
  });
});
