import { expect, test } from '@jest/globals';
import type { ExecuteContext, SubNode } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { executeFunctions } from './execute-functions.ts';
import { RunStaticData } from './static-data.ts';

const type = {
  description: { inputs: ['main', { type: 'ai_languageModel', maxConnections: 1 }, { type: 'ai_tool' }], properties: [] },
} as unknown as RunningType;

function functions(connected: Record<string, SubNode[]> = {}) {
  // As the engine's, a method that needs its context.
  const subNodes = async function (this: { connected: typeof connected }, kind: string) {
    return this.connected[kind] ?? [];
  };
  const context: ExecuteContext = Object.assign(fakeContext(), { connected, subNodes });
  return executeFunctions({ context, type, staticData: new RunStaticData({ global: {}, node: {} }) });
}

test('where no sub-node is connected there is an empty list, or nothing where one at most would be', async () => {
  const { getInputConnectionData } = functions();
  const kinds = ['ai_tool', 'ai_languageModel', 'ai_memory'];
  expect(await Promise.all(kinds.map((kind) => getInputConnectionData(kind)))).toEqual([[], undefined, []]);
});

test('one that is connected cannot be used, and is named', async () => {
  const { getInputConnectionData } = functions({ ai_tool: [{ name: 'Search' } as SubNode] });
  await expect(getInputConnectionData('ai_tool')).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
    message: expect.stringContaining('"Search" is connected as ai_tool'),
  });
});
