import { expect, test } from '@jest/globals';
import type { ResponseChunk } from '@sluice/domain';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { testType } from './testing/test-nodes.ts';

/** `T -> Say`, where `Say` sends a chunk for each item. */
function aTalk() {
  const engine = testEngine();
  const say = testType('say', async (context) => {
    for (const itemIndex of context.items().keys())
      await context.sendChunk?.({ type: 'item', content: { itemIndex }, itemIndex });
    return [[{ json: { streams: context.sendChunk !== undefined } }]];
  });
  engine.types.set('base.say', say);
  const graph = graphOf(['T -> Say'], { T: { type: 'emit', parameters: { count: 2 } }, Say: { type: 'say', id: 'say-id' } });
  return { engine: { ...engine, now: () => 5 }, graph };
}

test('a chunk contains its node run and its time', async () => {
  const { engine, graph } = aTalk();
  const chunks: ResponseChunk[] = [];
  await runGraph(graph, { stream: async (chunk) => void chunks.push(chunk) }, engine);
  const metadata = { nodeId: 'say-id', nodeName: 'Say', runIndex: 0, timestamp: 5 };
  expect(chunks).toEqual(
    [0, 1].map((itemIndex) => ({ type: 'item', content: { itemIndex }, metadata: { ...metadata, itemIndex } })),
  );
});

test('a node can detect whether the client accepts streaming', async () => {
  const { engine, graph } = aTalk();
  expect((await runGraph(graph, {}, engine)).json('Say')).toEqual([{ streams: false }]);
  expect((await runGraph(graph, { stream: async () => undefined }, engine)).json('Say')).toEqual([{ streams: true }]);
});
