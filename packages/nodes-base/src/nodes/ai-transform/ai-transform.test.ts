import { expect, test } from '@jest/globals';
import type { CodeRequest } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { aiTransform } from './ai-transform.ts';

test('the generated code runs once for all items', async () => {
  const requests: CodeRequest[] = [];
  const runCode = async (request: CodeRequest) => {
    requests.push(request);
    return [{ json: { done: true } }];
  };
  const parameters = { jsCode: 'return [];', instructions: 'Remove all', codeGeneratedForPrompt: 'Remove all' };
  expect(await runNode(aiTransform, { parameters, json: [{}, {}], runCode })).toEqual([[{ json: { done: true } }]]);
  expect(requests).toEqual([{ source: 'return [];', mode: 'allItems' }]);
});

test('a node without code fails', async () => {
  await expect(runNode(aiTransform, { parameters: { instructions: 'Remove all' } })).rejects.toThrow('jsCode');
});
