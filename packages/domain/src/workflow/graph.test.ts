import { expect, jest, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { GraphIndex } from './graph.ts';

const node = (name: string) => ({ name, type: 't', position: [0, 0] as [number, number], parameters: {} });

test('a graph with very many connections between two nodes is indexed at once, and names a sub-node once', async () => {
  const connections = { M: { ai_tool: [Array(100_000).fill({ node: 'A', type: 'ai_tool', index: 0 })] } };
  const busy = await longestBusy(() => {
    const index = new GraphIndex({ nodes: [node('A'), node('M')], connections });
    expect([index.attached('A', 'ai_tool'), index.attachedTypes('A')]).toEqual([['M'], ['ai_tool']]);
  });
  expect(busy).toBeLessThan(250);
});

test('sub-nodes are ordered by their inputs, and then by node', () => {
  const to = (index: number) => ({ ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index }]] });
  const connections = { Fallback: to(1), First: to(0), Second: to(0) };
  const index = new GraphIndex({ nodes: ['Fallback', 'First', 'Second', 'Agent'].map(node), connections });
  expect(index.attached('Agent', 'ai_languageModel')).toEqual(['First', 'Second', 'Fallback']);
});

test('the nodes before one with very many sources are found', () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `N${index}`);
  const to = { main: [[{ node: 'Z', type: 'main', index: 0 }]] };
  const connections = Object.fromEntries(names.map((name) => [name, to]));
  const index = new GraphIndex({ nodes: [...names, 'Z'].map(node), connections });
  expect(index.ancestorsOf(['Z']).size).toBe(names.length + 1);
});

test('recorded model calls of a node have a name that no node has', () => {
  const index = new GraphIndex({ nodes: ['Ask', 'Ask (model)', 'Other'].map(node), connections: {} });
  expect([index.modelRunsOf('Ask'), index.modelRunsOf('Other')]).toEqual(['Ask (model) (model)', 'Other (model)']);
});

test('the names of recorded model calls are found in one pass, even if each node is named after the recorded calls of the previous one', () => {
  const names = Array.from({ length: 200 }, (_, index) => `Ask${' (model)'.repeat(index)}`);
  const index = new GraphIndex({ nodes: names.map(node), connections: {} });
  const has = jest.spyOn(index.nodes, 'has');
  expect(new Set(names.map((name) => index.modelRunsOf(name)))).toEqual(new Set([`${names.at(-1)} (model)`]));
  expect(has.mock.calls.length).toBeLessThanOrEqual(names.length);
});

test('outputs of a node are not read again for each of its connection types', () => {
  const toA = [[{ node: 'A', type: 't', index: 0 }]];
  const attached = Array.from({ length: 100 }, (_, index) => [`t${index}`, toA] as const);
  const outgoing = jest.spyOn(GraphIndex.prototype, 'outgoing');
  const index = new GraphIndex({ nodes: ['A', 'M'].map(node), connections: { M: Object.fromEntries(attached) } });
  expect([index.isSubNode('M'), index.attachedTypes('A').length]).toEqual([true, 100]);
  expect(outgoing.mock.calls.length).toBeLessThanOrEqual(2);
  jest.restoreAllMocks();
});
