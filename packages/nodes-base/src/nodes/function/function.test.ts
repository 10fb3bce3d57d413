import { expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { functionNode } from './function.ts';

test.each([1, 2])(
  'function %d hands the code to the sandbox, once for all items, and gives what comes back',
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

test('code is required', async () => {
  await expect(runNode(functionNode, { parameters: {} })).rejects.toThrow('"functionCode" is required');
});
