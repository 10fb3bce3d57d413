import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { createSandbox } from '@sluice/sandbox';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

/**
 * Evaluates a parameter `times` times for each of three items, with the count as an additional
 * variable.
 */
async function evaluated(path: string, parameters: JsonObject, times = 1): Promise<{ status: string; values: JsonValue[] }> {
  const values: JsonValue[] = [];
  const asking = testType('asking', async (context) => {
    for (const itemIndex of context.items().keys()) {
      for (let count = 0; count < times; count++) {
        values.push((await context.evaluate(path, itemIndex, { $pageCount: count })) ?? 'nothing');
      }
    }
    return [[...context.items()]];
  });
  const engine = { ...testEngine(), sandbox };
  engine.types.set('base.asking', asking);
  const graph = graphOf(
    ['T -> X'],
    { T: { type: 'manual-trigger' }, X: { type: 'asking', parameters } },
    { pinData: { T: asItems({ id: 'a' }, { id: 'b' }, { id: 'c' }) } },
  );
  const { outcome } = await runGraph(graph, {}, engine);
  return { status: outcome.status, values };
}

test('a running node can resolve a parameter again for an item, with additional variables', async () => {
  const parameters = { options: { next: '={{ $json.id + $itemIndex + "/" + ($pageCount + 1) }}', other: '={{ nonsense( }}' } };
  const { status, values } = await evaluated('options.next', parameters, 2);
  expect([status, values]).toEqual(['success', ['a0/1', 'a0/2', 'b1/1', 'b1/2', 'c2/1', 'c2/2']]);
});

test('nested values are resolved, paths and constants need no guest, and a missing value is undefined', async () => {
  const parameters = {
    list: [
      { name: 'x', value: '={{ $pageCount }}' },
      { name: 'y', value: '={{ $("T").item.json.id }}' },
    ],
  };
  const { values } = await evaluated('list', parameters);
  expect(values[1]).toEqual([
    { name: 'x', value: 0 },
    { name: 'y', value: 'b' },
  ]);
  const fixed = { options: { url: 'u', path: '={{ $json.id }}' } };
  expect((await evaluated('options.path', fixed)).values).toEqual(['a', 'b', 'c']);
  expect((await evaluated('options.url', fixed)).values).toEqual(['u', 'u', 'u']);
  expect((await evaluated('none.at.all', parameters)).values).toEqual(['nothing', 'nothing', 'nothing']);
});

test('a failing expression fails the node', async () => {
  expect((await evaluated('p', { p: '={{ $json.constructor }}' })).status).toBe('error');
});
