import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { createSandbox } from '@sluice/sandbox';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { testType } from './testing/test-nodes.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const versioned = testType('versioned', (context) => [[{ json: { seen: context.parameter('seen', 0) } }]], {
  version: [1, 2],
  properties: [
    { displayName: 'Mode', name: 'mode', type: 'string', default: 'fast' },
    { displayName: 'Old', name: 'old', type: 'string', default: 'yes', displayOptions: { show: { '@version': [1] } } },
    { displayName: 'New', name: 'new', type: 'string', default: 'yes', displayOptions: { show: { '@version': [2] } } },
    { displayName: 'Slow', name: 'slow', type: 'number', default: 1, displayOptions: { show: { mode: ['slow'] } } },
    { displayName: 'Seen', name: 'seen', type: 'string', default: '' },
  ],
});

/** Output of a node `X` with this expression, after a node `A` of the same type. */
async function seenBy(seen: string, a: { typeVersion: number; parameters: JsonObject }): Promise<JsonObject[]> {
  const engine = { ...testEngine(), sandbox };
  engine.types.set('base.versioned', versioned);
  const nodes = { A: { type: 'versioned', ...a }, X: { type: 'versioned', typeVersion: 2, parameters: { seen } } };
  return (await runGraph(graphOf(['A -> X'], nodes), {}, engine)).json('X');
}

test('the parameters of another node include the defaults of its version, in the host and in the guest', async () => {
  const a = { typeVersion: 1, parameters: { own: 'set' } };
  const params = { own: 'set', mode: 'fast', old: 'yes', seen: '' };
  expect(await seenBy('={{ $("A").params }}', a)).toEqual([{ seen: params }]);
  expect(await seenBy('={{ $node["A"].parameter }}', a)).toEqual([{ seen: params }]);
  expect(await seenBy('={{ Object.keys($("A").params).sort().join() }}', a)).toEqual([{ seen: 'mode,old,own,seen' }]);
});

test('a set parameter determines which defaults the parameters of another node include', async () => {
  const a = { typeVersion: 2, parameters: { mode: 'slow' } };
  expect(await seenBy('={{ $("A").params }}', a)).toEqual([{ seen: { mode: 'slow', new: 'yes', slow: 1, seen: '' } }]);
});

test('$parameter includes the defaults of the version of its node', async () => {
  const seen = '={{ $parameter }}';
  expect(await seenBy(seen, { typeVersion: 1, parameters: {} })).toEqual([{ seen: { mode: 'fast', new: 'yes', seen } }]);
});

test('$parameter of an expression is its value for the item', async () => {
  const mode = '={{ "of run " + $runIndex }}';
  const engine = { ...testEngine(), sandbox };
  engine.types.set('base.versioned', versioned);
  const nodes = { X: { type: 'versioned', typeVersion: 2, parameters: { mode, seen: '={{ $parameter.mode }}' } } };
  expect((await runGraph(graphOf([], nodes), {}, engine)).json('X')).toEqual([{ seen: 'of run 0' }]);
});

test('$node["x"].parameter of an expression is its value for the item of this node', async () => {
  const a = { typeVersion: 2, parameters: { mode: '={{ $itemIndex + 1 }}' } };
  expect(await seenBy('={{ $node["A"].parameter.mode }}', a)).toEqual([{ seen: 1 }]);
  expect(await seenBy('={{ $node["A"].parameter.new }}', a)).toEqual([{ seen: 'yes' }]);
});

test('values that a type passes as $parameter are data', async () => {
  const engine = { ...testEngine(), sandbox };
  const mode = '={{ 1 + 1 }}';
  const type = testType('passing', async (context) => [
    [
      {
        json: { seen: (await context.evaluateText('={{ $parameter.mode }}', 0, { names: {}, parameters: { mode } })) ?? null },
      },
    ],
  ]);
  engine.types.set('base.passing', type);
  const graph = graphOf([], { X: { type: 'passing', parameters: { mode } } });
  expect((await runGraph(graph, {}, engine)).json('X')).toEqual([{ seen: mode }]);
});
