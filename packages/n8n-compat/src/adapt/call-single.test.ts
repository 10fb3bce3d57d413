import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import type { RunningType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { callSingle } from './call-single.ts';

test('functions of a declarative type share the static data of their run, which is stored', async () => {
  const kept: object[] = [];
  const context = fakeContext({
    over: {
      staticData: {
        read: async () => ({ global: { n: 1 }, node: {} }),
        keep: (parts) => void kept.push(structuredClone(parts)),
      },
    },
  });
  const type: RunningType = { description: { displayName: 'A', name: 'a', version: 1, properties: [] } };
  const count = function (this: object) {
    const all = (this as { getWorkflowStaticData(part: string): JsonObject }).getWorkflowStaticData('global');
    all['n'] = Number(all['n']) + 1;
  };
  for (const itemIndex of [0, 1]) await callSingle(count, { type, context, itemIndex }, []);
  expect(kept).toEqual([{ global: { n: 2 } }, { global: { n: 3 } }]);
});
