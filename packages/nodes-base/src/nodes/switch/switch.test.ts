import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { fakeContext, runNode } from '../../testing/fake-context.ts';
import { switchNode } from './switch.ts';

/** Which outputs the one item went to. */
async function routed(parameters: JsonObject, typeVersion: number): Promise<number[]> {
  const outputs = await runNode(switchNode, { json: [{ a: 1 }], parameters, typeVersion });
  return outputs.flatMap((items, output) => (items?.length ? [output] : []));
}

const outputCount = (parameters: JsonObject, typeVersion: number) => switchNode.outputs?.(parameters, typeVersion).length;

const rule = (left: JsonValue, right: JsonValue, options: JsonObject = {}): JsonObject => ({
  conditions: {
    options: { typeValidation: 'strict', ...options },
    conditions: [{ leftValue: left, rightValue: right, operator: { type: 'string', operation: 'equals' } }],
    combinator: 'and',
  },
});
const rules = (...values: JsonObject[]): JsonObject => ({ rules: { values } });

describe.each([3, 3.1, 3.2, 3.3, 3.4])('switch %d', (version) => {
  test('sends an item to the first matching rule, paired with itself', async () => {
    const parameters = rules(rule('x', 'y'), rule('x', 'x'), rule('x', 'x'));
    expect(await runNode(switchNode, { json: [{ a: 1 }], parameters, typeVersion: version })).toEqual([
      [],
      [{ json: { a: 1 }, pairedItem: { item: 0 } }],
      [],
    ]);
  });

  test('sends it to all matching rules with the option', async () => {
    const parameters = { ...rules(rule('x', 'x'), rule('x', 'y'), rule('x', 'x')), options: { allMatchingOutputs: true } };
    expect(await routed(parameters, version)).toEqual([0, 2]);
  });

  test.each<[JsonValue, number[]]>([
    ['none', []],
    ['extra', [2]],
    [1, [1]],
    ['0', [0]],
  ])('an item without a matching rule goes to the fallback %j', async (fallbackOutput, expected) => {
    const parameters = { ...rules(rule('x', 'y'), rule('x', 'z')), options: { fallbackOutput } };
    expect(await routed(parameters, version)).toEqual(expected);
  });

  test('has an output for each rule, and another for an extra fallback', () => {
    expect(outputCount(rules(rule('x', 'y'), rule('x', 'z')), version)).toBe(2);
    expect(outputCount({ ...rules(rule('x', 'y')), options: { fallbackOutput: 'extra' } }, version)).toBe(2);
    expect(outputCount({ mode: 'expression', numberOutputs: 6 }, version)).toBe(6);
    expect(outputCount({ mode: 'expression' }, version)).toBe(4);
  });

  test('in expression mode, the number selects the output', async () => {
    expect(await routed({ mode: 'expression', numberOutputs: 6, output: 5 }, version)).toEqual([5]);
  });

  test.each([4, -1, 1.5])('the error for output %d of four contains the item', async (output) => {
    const run = runNode(switchNode, { parameters: { mode: 'expression', output }, typeVersion: version });
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining(`output ${output}`), itemIndex: 0 });
  });

  test('in expression mode, true and false select the outputs 1 and 0, and null is an error', async () => {
    expect(await routed({ mode: 'expression', output: true }, version)).toEqual([1]);
    expect(await routed({ mode: 'expression', output: false }, version)).toEqual([0]);
    await expect(routed({ mode: 'expression', output: null }, version)).rejects.toThrow('"output"');
  });

  test('a failed item goes to the first output if the node continues', async () => {
    const run = { parameters: { mode: 'expression', output: 9 }, typeVersion: version, continueOnFail: true };
    expect((await runNode(switchNode, run))[0]).toEqual([
      { json: { error: expect.stringContaining('output 9') }, pairedItem: { item: 0 } },
    ]);
  });
});

test.each<[number, JsonObject]>([
  [3, { options: { looseTypeValidation: true } }],
  [3.2, { looseTypeValidation: true }],
])('switch %d converts types by its own option if the conditions have no option', async (version, more) => {
  const { conditions } = rule(5, '5') as { conditions: JsonObject };
  const parameters = { ...rules({ conditions: { ...conditions, options: {} } }), ...more };
  expect(await routed(parameters, version)).toEqual([0]);
});

describe('switch 2', () => {
  const legacy = (fallbackOutput = -1): JsonObject => ({
    dataType: 'string',
    value1: 'b',
    fallbackOutput,
    rules: { rules: [{ value2: 'a' }, { operation: 'startsWith', value2: 'b', outputKey: 'B' }] },
  });

  test('has an output for each rule', async () => {
    expect(await routed(legacy(), 2)).toEqual([1]);
    expect(outputCount(legacy(), 2)).toBe(2);
  });

  test.each([
    [-1, []],
    [1, [1]],
  ])('an item without a matching rule goes to the fallback %d', async (fallbackOutput, expected) => {
    expect(await routed({ ...legacy(fallbackOutput), value1: 'z' }, 2)).toEqual(expected);
  });

  test('in expression mode, the parameter sets the number of outputs', async () => {
    const parameters = { mode: 'expression', outputsAmount: 5, output: '4' };
    expect(outputCount(parameters, 2)).toBe(5);
    expect(await routed(parameters, 2)).toEqual([4]);
  });
});

describe('rules without expressions', () => {
  const parameters = rules(rule('x', 'y'), rule('x', 'X'));

  test('are evaluated once, regardless of the number of items', async () => {
    const reads: string[] = [];
    const context = fakeContext({ json: Array.from({ length: 1_000 }, () => ({})), parameters, typeVersion: 3.2 });
    const parameter: typeof context.parameter = (path, ...more) => {
      if (path.startsWith('rules.values.')) reads.push(path);
      return context.parameter(path, ...more);
    };
    await switchNode.execute?.({ ...context, parameter });
    expect(new Set(reads).size).toBe(reads.length);
  });

  test('follow options that differ between items', async () => {
    const json = [{ a: 1 }, { a: 2 }, { a: 3 }];
    const ofItem = (itemIndex: number) => ({ ...parameters, options: { ignoreCase: itemIndex === 1 } });
    const [, second] = await runNode(switchNode, { json, parameters: ofItem, written: parameters, typeVersion: 3.2 });
    expect(second).toEqual([{ json: { a: 2 }, pairedItem: { item: 1 } }]);
  });

  test('are evaluated for each item if any rule has an expression', async () => {
    const json = [{ a: 1 }, { a: 2 }];
    const ofItem = (itemIndex: number) => rules(rule('x', 'y'), rule('x', itemIndex === 1 ? 'x' : 'z'));
    const written = rules(rule('x', 'y'), rule('x', '={{ $json.a === 2 ? "x" : "z" }}'));
    const [, second] = await runNode(switchNode, { json, parameters: ofItem, written, typeVersion: 3.2 });
    expect(second).toEqual([{ json: { a: 2 }, pairedItem: { item: 1 } }]);
  });
});

describe('switch 1', () => {
  test.each<[JsonObject, number[]]>([
    [{ value1: 3, rules: { rules: [{ operation: 'larger', value2: 2, output: 3 }] } }, [3]],
    [{ value1: 3, rules: { rules: [{ value2: 2 }] }, fallbackOutput: 2 }, [2]],
    [{ value1: 3, rules: { rules: [{ value2: 2 }] } }, []],
    [{ value1: 1, rules: { rules: [{ value2: 2 }] } }, [0]],
    [{ dataType: 'boolean', value1: true, rules: { rules: [{ value2: true, output: 1 }] } }, [1]],
    [
      {
        dataType: 'dateTime',
        value1: '2024-02-01',
        rules: { rules: [{ operation: 'before', value2: '2024-03-01', output: 2 }] },
      },
      [2],
    ],
    [{ mode: 'expression', output: 3 }, [3]],
  ])('%j goes to %j of its four outputs', async (parameters, expected) => {
    expect(await routed(parameters, 1)).toEqual(expected);
    expect(outputCount(parameters, 1)).toBe(4);
  });
});
