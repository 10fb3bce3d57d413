import { expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { functionItem } from './function-item.ts';

test('runs the code once for each item, in the sandbox; files stay, items are paired', async () => {
  const requests: CodeRequest[] = [];
  const runCode = async (request: CodeRequest) => {
    requests.push(request);
    return [{ json: { n: 2 } }, { json: { n: 3 } }];
  };
  const binary = { data: { id: 'f', mimeType: 'text/plain' } };
  const inputs = [[{ json: { n: 1 }, binary }, { json: { n: 2 } }]];
  const output = await runNode(functionItem, { inputs, parameters: { functionCode: 'item.n++;\nreturn item' }, runCode });
  expect(output).toEqual([
    [
      { json: { n: 2 }, binary, pairedItem: { item: 0 } },
      { json: { n: 3 }, pairedItem: { item: 1 } },
    ],
  ]);
  expect(requests).toEqual([{ source: expect.stringContaining('item.n++;\nreturn item'), mode: 'eachItem' }]);
});

test('code is required', async () => {
  await expect(runNode(functionItem, { parameters: {} })).rejects.toThrow('"functionCode" is required');
});
