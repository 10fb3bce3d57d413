import { expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { functionItem } from './function-item.ts';

test('passes the code to the sandbox, which runs it over each item’s JSON, and returns the result', async () => {
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

test('the editor’s initial code runs if no code is set', async () => {
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
