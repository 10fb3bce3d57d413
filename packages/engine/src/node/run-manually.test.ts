import { expect, test } from '@jest/globals';
import type { NodeType, PollContext } from '@sluice/node-sdk';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { testType } from '../testing/test-nodes.ts';

const { description } = testType('source', () => []);

async function run(type: Omit<NodeType, 'description'>, pinData?: object) {
  const engine = testEngine();
  engine.types.set('base.source', { description: { ...description, group: ['trigger'] }, ...type });
  const nodes = { Source: { type: 'source', parameters: { url: 'u' } } };
  return runGraph(graphOf(['Source -> After'], nodes, { ...(pinData && { pinData: pinData as never }) }), {}, engine);
}

test('a poll returns its first results, and its stored data is discarded', async () => {
  const seen: unknown[] = [];
  async function poll({ mode, cursor, parameter, saveCursor }: PollContext) {
    seen.push([mode, cursor, parameter('url', 0)]);
    saveCursor({ n: 1 });
    return [{ json: { n: 1 } }, { json: { n: 2 } }];
  }
  const { outcome, json } = await run({ poll });
  expect(outcome.status).toBe('success');
  expect(seen).toEqual([['manual', undefined, 'u']]);
  expect(json('Source')).toEqual([{ n: 1 }, { n: 2 }]);
});

test('a poll that finds items for several outputs returns all of them', async () => {
  const { json, outcome } = await run({ poll: async () => [[{ json: { a: 1 } }], [{ json: { b: 2 } }]] });
  expect([outcome.status, json('Source'), json('Source', 0, 1)]).toEqual(['success', [{ a: 1 }], [{ b: 2 }]]);
});

test('a poll without results returns no items', async () => {
  const { outcome, order } = await run({ poll: async () => null });
  expect(outcome.status).toBe('success');
  expect(order).toEqual(['Source']);
});

test('a listener fails with an explanation, unless pinned data replaces it', async () => {
  const trigger = async () => ({ close: () => undefined });
  const { outcome } = await run({ trigger });
  expect(outcome).toMatchObject({
    status: 'error',
    error: { message: 'node "Source" waits for events and cannot be run manually', description: expect.any(String) },
  });
  const pinned = await run({ trigger }, { Source: [{ json: { pinned: true } }] });
  expect(pinned.json('Source')).toEqual([{ pinned: true }]);
});

test('a type with only webhooks returns the item of its request', async () => {
  const webhooks = [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'events' } as const];
  const engine = testEngine();
  engine.types.set('base.source', { description: { ...description, group: ['trigger'], webhooks } });
  const trigger = { node: 'Source', items: [{ json: { body: 'called' } }] };
  const graph = graphOf(['Source -> After'], { Source: { type: 'source' } });
  const { json } = await runGraph(graph, { start: { trigger } }, engine);
  expect(json('Source')).toEqual([{ body: 'called' }]);
});

test('a manual run calls `execute` if it exists', async () => {
  const poll = async () => [{ json: { from: 'poll' } }];
  const { json } = await run({ poll, execute: () => [[{ json: { from: 'execute' } }]] });
  expect(json('Source')).toEqual([{ from: 'execute' }]);
});
