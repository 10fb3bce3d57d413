import { expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { functionItem } from './function-item.ts';

test('hands the code to the sandbox, to be run over the JSON of each item, and gives what comes back', async () => {
  const requests: CodeRequest[] = [];
  const runCode = async (request: CodeRequest) => {
    requests.push(request);
    return [{ json: { n: 2 }, pairedItem: { item: 0 } }];
  };
  const output = await runNode(functionItem, {
    json: [{ n: 1 }],
    parameters: { functionCode: 'item.n++;\nreturn item' },
    runCode,
  });
  expect(output).toEqual([[{ json: { n: 2 }, pairedItem: { item: 0 } }]]);
  expect(requests).toEqual([{ source: 'item.n++;\nreturn item', mode: 'functionItem' }]);
});

test('the code that the editor offers runs where none is set', async () => {
  const sources: string[] = [];
  const runCode = async ({ source }: CodeRequest) => {
    sources.push(source);
    return [];
  };
  await runNode(functionItem, { parameters: {}, runCode });
  expect(sources).toEqual([expect.stringContaining('myNewField = 1')]);
});

test('code must not be blank', async () => {
  await expect(runNode(functionItem, { parameters: { functionCode: ' ' } })).rejects.toThrow('"functionCode" is required');
});
