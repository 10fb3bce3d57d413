import { expect, test } from '@jest/globals';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';

const nodes = {
  T: { type: 'manual-trigger' },
  E: { type: 'emit' },
  L: { type: 'loop', parameters: { rounds: 1 } },
  B: { type: 'code' },
};

/** For each run, the output of `L` whose items code in `B` reads if it names no output. */
async function outputsOf(...edges: string[]): Promise<unknown[]> {
  const engine = testEngine();
  const seen: unknown[] = [];
  engine.sandbox.runCodeWith = async ({ scope }) => {
    seen.push(scope.outputOf('L'));
    return { items: [...scope.items], logs: [] };
  };
  const { outcome } = await runGraph(graphOf(['T -> E', 'E -> L', ...edges], nodes), {}, engine);
  expect(outcome.status).toBe('success');
  return seen;
}

test.each([
  ['in the first node of a loop, the loop output', ['L:1 -> B', 'B -> L'], [1]],
  ['in later nodes of the loop, also the loop output', ['L:1 -> X', 'X -> Y', 'Y -> B', 'B -> L'], [1]],
  ['after the loop, the output that ends it', ['L:1 -> L', 'L:0 -> X', 'X -> B'], [0]],
  ['with several paths, the output of the shortest', ['L:1 -> L', 'L:1 -> B', 'L:0 -> X', 'X -> B'], [1, 1]],
  [
    'with equally short paths, the output that leads to the first input',
    ['L:0 -> X', 'L:1 -> Y', 'X -> M:1', 'Y -> M:0', 'M -> B'],
    [1],
  ],
  ['if the items came directly from the node, their output', ['L:0 -> B', 'L:1 -> B'], [1]],
  ['without a path, the first output', ['L:1 -> L', 'T -> B'], [0]],
])('the default output of a node in code and expressions: %s', async (_, edges, expected) => {
  expect(await outputsOf(...edges)).toEqual(expected);
});
