import { expect, test } from '@jest/globals';
import type { NodeType } from '@sluice/node-sdk';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';

const looks: NodeType = {
  description: {
    displayName: 'Looks',
    name: 'looks',
    group: ['transform'],
    version: 1,
    description: '',
    defaults: { name: 'Looks' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [],
  },
  execute(context) {
    const namesOf = (name: string, side: 'before' | 'after') =>
      (context.relatives?.(name, side) ?? []).map((node) => node.name).sort();
    return [[{ json: { before: namesOf('B', 'before'), after: namesOf('B', 'after'), none: namesOf('Missing', 'before') } }]];
  },
};

test('a node can list the nodes before and after a node of the workflow', async () => {
  const engine = testEngine();
  engine.types.set('base.looks', looks);
  const { json } = await runGraph(graphOf(['A -> B', 'B -> C', 'C -> D'], { B: { type: 'looks' } }), {}, engine);
  expect(json('B')).toEqual([{ before: ['A'], after: ['C', 'D'], none: [] }]);
});

test('the parts of static data that a node changes are stored with its run', async () => {
  const engine = testEngine();
  engine.types.set('base.looks', {
    ...looks,
    async execute({ staticData }) {
      const { global, node } = (await staticData?.read()) ?? { global: {}, node: {} };
      staticData?.save({ node: { seen: Number(node['seen'] ?? 0) + 1 } });
      return [[{ json: { global, node } }]];
    },
  });
  const stored = { global: { a: 1 }, 'node:B': { seen: 4 } };
  const { json, outcome } = await runGraph(
    graphOf(['A -> B'], { B: { type: 'looks' } }),
    { staticData: async () => stored },
    engine,
  );
  expect(json('B')).toEqual([{ global: { a: 1 }, node: { seen: 4 } }]);
  expect(outcome).toMatchObject({ staticData: { 'node:B': { seen: 5 } } });
});
