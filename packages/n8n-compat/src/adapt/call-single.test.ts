import { expect, test } from '@jest/globals';
import type { Item, JsonObject } from '@sluice/domain';
import type { RunningType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { callSingle } from './call-single.ts';

const type: RunningType = { description: { displayName: 'A', name: 'a', version: 1, properties: [] } };

test("functions of a declarative type share their run's static data, which is stored", async () => {
  const keptParts: object[] = [];
  const context = fakeContext({
    over: {
      staticData: {
        read: async () => ({ global: { n: 1 }, node: {} }),
        save: (parts) => void keptParts.push(structuredClone(parts)),
      },
    },
  });
  const count = function (this: object) {
    const all = (this as { getWorkflowStaticData(part: string): JsonObject }).getWorkflowStaticData('global');
    all['n'] = Number(all['n']) + 1;
  };
  for (const itemIndex of [0, 1]) await callSingle(count, { type, context, itemIndex }, []);
  expect(keptParts).toEqual([{ global: { n: 2 } }, { global: { n: 3 } }]);
});

test("functions of a declarative type read a run's items from one copy", async () => {
  let reads = 0;
  const item: Item = {
    get json() {
      reads += 1;
      return { a: 1 };
    },
  };
  const context = fakeContext({ items: Array.from({ length: 50 }, () => item) });
  const change = function (this: object) {
    const { json } = (this as { getInputData(): Item }).getInputData();
    json['a'] = 2;
    return json;
  };
  for (let itemIndex = 0; itemIndex < 50; itemIndex++) {
    expect(await callSingle(change, { type, context, itemIndex }, [])).toEqual({ a: 2 });
  }
  expect(reads).toBeLessThanOrEqual(2 * 50);
  expect(context.items()[0]?.json).toEqual({ a: 1 });
});

test('a response of a declarative type that cannot be sent fails its item', async () => {
  const context = fakeContext({ over: { respond: () => Promise.reject(new Error('too large')) } });
  const respond = function (this: object) {
    (this as { sendResponse(response: object): void }).sendResponse({ body: 'x' });
  };
  await expect(callSingle(respond, { type, context, itemIndex: 0 }, [])).rejects.toThrow('too large');
});
