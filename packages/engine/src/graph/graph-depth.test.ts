import { expect, test } from '@jest/globals';
import { GraphIndex } from '@sluice/domain';
import { graphOf } from '../testing/run-graph.ts';
import { graphDepths } from './graph-depth.ts';

const depthsOf = (edges: string[]) => Object.fromEntries(graphDepths(new GraphIndex(graphOf(edges))));

test('a node is one deeper than its deepest predecessor', () => {
  expect(depthsOf(['A -> B', 'B -> C', 'A -> C', 'C -> D'])).toEqual({ A: 0, B: 1, C: 2, D: 3 });
});

test('the nodes of a loop have the same depth, even if loops share a node', () => {
  expect(depthsOf(['A -> B', 'B -> C', 'C -> B', 'C -> D', 'D -> C', 'D -> E'])).toEqual({ A: 0, B: 1, C: 1, D: 1, E: 2 });
});

test('a chain of thousands of nodes does not overflow the stack', () => {
  const edges = Array.from({ length: 20_000 }, (_, i) => `N${i} -> N${i + 1}`);
  expect(depthsOf(edges)['N20000']).toBe(20_000);
});
