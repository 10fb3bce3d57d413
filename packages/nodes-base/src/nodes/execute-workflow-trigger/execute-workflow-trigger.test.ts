import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { executeWorkflowTrigger } from './execute-workflow-trigger.ts';

const called = (json: JsonObject, parameters: JsonObject, typeVersion = 1.1) =>
  runForJson(executeWorkflowTrigger, { json: [json], parameters, typeVersion });

const inputs = (...values: JsonObject[]) => ({ workflowInputs: { values } });

test.each([
  [1, {}],
  [1.1, { inputSource: 'passthrough' }],
  [1.2, {}],
])('version %d with %j hands on what it is called with, files included', async (typeVersion, parameters) => {
  const items = [{ json: { a: 1 }, binary: { file: { id: 'f', mimeType: 'text/plain' } } }];
  expect(await runNode(executeWorkflowTrigger, { inputs: [items], parameters, typeVersion })).toEqual([items]);
});

describe('declared inputs', () => {
  test('are the only fields; a missing one is null', async () => {
    const parameters = inputs({ name: 'a' }, { name: 'b', type: 'number' });
    expect(await called({ a: 'x', c: 1 }, parameters)).toEqual([{ a: 'x', b: null }]);
  });

  test.each<[string, JsonValue, JsonValue]>([
    ['any', 5, 5],
    ['string', 5, '5'],
    ['number', '5', 5],
    ['boolean', 'true', true],
    ['array', '[1]', [1]],
    ['object', '{"a":1}', { a: 1 }],
  ])('of type %s make %j into %j', async (type, given, value) => {
    expect(await called({ v: given }, inputs({ name: 'v', type }))).toEqual([{ v: value }]);
  });

  test('of another type fail, and say which', async () => {
    await expect(called({ v: 'x' }, inputs({ name: 'v', type: 'number' }))).rejects.toThrow(
      'the workflow input "v" must be of type number, but is the text "x"',
    );
  });

  test('may be those of an example', async () => {
    const jsonExample = JSON.stringify({ n: 1, list: [], free: null });
    expect(await called({ n: '2', list: [3], free: 'x', more: 1 }, { inputSource: 'jsonExample', jsonExample })).toEqual([
      { n: 2, list: [3], free: 'x' },
    ]);
  });

  test('may be named like what objects inherit', async () => {
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
