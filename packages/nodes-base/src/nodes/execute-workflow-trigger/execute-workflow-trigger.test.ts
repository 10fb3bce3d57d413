import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { executeWorkflowTrigger } from './execute-workflow-trigger.ts';

const called = (json: JsonObject, parameters: JsonObject, typeVersion = 1.1) =>
  runForJson(executeWorkflowTrigger, { json: [json], parameters, typeVersion });

const inputs = (...values: JsonObject[]) => ({ workflowInputs: { values } });

test.each([
  [1, {}],
  [1.1, { inputSource: 'passthrough' }],
  [1.2, {}],
])('version %d with %j passes on its input, including files', async (typeVersion, parameters) => {
  const items = [{ json: { a: 1 }, binary: { file: { id: 'f', mimeType: 'text/plain' } } }];
  expect(await runNode(executeWorkflowTrigger, { inputs: [items], parameters, typeVersion })).toEqual([items]);
});

describe('declared inputs', () => {
  test('are the only fields; a missing field is null', async () => {
    const parameters = inputs({ name: 'a' }, { name: 'b', type: 'number' });
    expect(await called({ a: 'x', c: 1 }, parameters)).toEqual([{ a: 'x', b: null }]);
  });

  test.each(['any', 'string', 'number', 'boolean', 'array', 'object'])('of type %s leave values as they are', async (type) => {
    const values = [5, '5', 'x', true, [1], { a: 1 }];
    for (const v of values) expect(await called({ v }, inputs({ name: 'v', type }))).toEqual([{ v }]);
  });

  test('may come from an example', async () => {
    const jsonExample = JSON.stringify({ n: 1, list: [], free: null });
    expect(await called({ n: '2', list: [3], free: 'x', more: 1 }, { inputSource: 'jsonExample', jsonExample })).toEqual([
      { n: '2', list: [3], free: 'x' },
    ]);
  });

  test('do not exist if the example is empty', async () => {
    expect(await called({ a: 1 }, { inputSource: 'jsonExample', jsonExample: '{}' })).toEqual([{}]);
  });

  test('may have the names of inherited object members', async () => {
    const [json] = await called(
      JSON.parse('{"__proto__":"x"}') as JsonObject,
      inputs({ name: '__proto__' }, { name: 'constructor' }),
    );
    expect(Object.entries(json ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', null],
    ]);
  });
});
