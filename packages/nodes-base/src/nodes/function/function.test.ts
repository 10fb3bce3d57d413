import { describe, expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { functionNode } from './function.ts';

test.each([1, 2])(
  'function %d passes the code to the sandbox, once for all items, and returns the result',
  async (typeVersion) => {
    const requests: CodeRequest[] = [];
    const runCode = async (request: CodeRequest) => {
      requests.push(request);
      return [{ json: { a: 1 } }];
    };
    const output = await runNode(functionNode, { typeVersion, parameters: { functionCode: 'return items' }, runCode });
    expect(requests).toEqual([{ source: 'return items', mode: 'allItems' }]);
    expect(output).toEqual([[{ json: { a: 1 } }]]);
  },
);

describe('code that fails', () => {
  const run = {
    parameters: { functionCode: 'x' },
    json: [{ a: 1 }, { a: 2 }],
    runCode: async () => {
      throw new Error('x is not defined');
    },
  };

  test('returns one item with the error for all items if the node continues on its regular output', async () => {
    expect(await runNode(functionNode, { ...run, onError: 'continueRegularOutput' })).toEqual([
      [{ json: { error: 'x is not defined' }, pairedItem: [{ item: 0 }, { item: 1 }] }],
    ]);
  });

  test.each(['stopWorkflow', 'continueErrorOutput'] as const)('fails the node with onError %s', async (onError) => {
    await expect(runNode(functionNode, { ...run, onError })).rejects.toThrow('x is not defined');
  });
});

test('the editor’s initial code runs if no code is set', async () => {
  const sources: string[] = [];
  const runCode = async ({ source }: CodeRequest) => {
    sources.push(source);
    return [];
  };
  await runNode(functionNode, { parameters: {}, runCode });
  expect(sources).toEqual([expect.stringContaining('myNewField = 1')]);
});

test('code must not be blank', async () => {
  await expect(runNode(functionNode, { parameters: { functionCode: ' ' } })).rejects.toThrow('"functionCode" is required');
});
