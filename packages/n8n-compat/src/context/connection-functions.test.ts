import { expect, test } from '@jest/globals';
import type { ExecuteContext, SubNode } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { executeFunctions } from './execute-functions.ts';
import { RunStaticData } from './static-data.ts';

const type = {
  description: { inputs: ['main', { type: 'ai_languageModel', maxConnections: 1 }, { type: 'ai_tool' }], properties: [] },
} as unknown as RunningType;

async function functions(connected: Record<string, SubNode[]> = {}) {
  // A method that needs its `this`, like the engine's method.
  const subNodes = async function (this: { connected: typeof connected }, kind: string) {
    return this.connected[kind] ?? [];
  };
  const context: ExecuteContext = Object.assign(fakeContext(), { connected, subNodes });
  return executeFunctions({ context, type, staticData: await RunStaticData.open({ global: {}, node: {} }) });
}

test('without sub-nodes the result is an empty list, or undefined for an input that accepts only one', async () => {
  const { getInputConnectionData } = await functions();
  const kinds = ['ai_tool', 'ai_languageModel', 'ai_memory'];
  expect(await Promise.all(kinds.map((kind) => getInputConnectionData(kind)))).toEqual([[], undefined, []]);
});

test('a connected sub-node cannot be used, and the error names it', async () => {
  const { getInputConnectionData } = await functions({ ai_tool: [{ name: 'Search' } as SubNode] });
  await expect(getInputConnectionData('ai_tool')).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
    message: expect.stringContaining('"Search" is connected as ai_tool'),
  });
});
