import { expect, test } from '@jest/globals';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { testType } from './testing/test-nodes.ts';

test('a version with its own implementation runs it', async () => {
  const engine = testEngine();
  const of = (version: number) => {
    const type = testType('versioned', () => [[{ json: { by: version } }]]);
    return { ...type, description: { ...type.description, version } };
  };
  const [first, second] = [of(1), of(2)];
  const type = { description: { ...second.description, version: [1, 2] }, versions: { 1: first, 2: second } };
  engine.types.set('base.versioned', type);
  const by = async (typeVersion?: number) => {
    const nodes = { T: { type: 'manual-trigger' }, X: { type: 'versioned', ...(typeVersion && { typeVersion }) } };
    const run = await runGraph(graphOf(['T -> X'], nodes), {}, engine);
    return run.outcome.status === 'success' ? run.json('X') : run.outcome;
  };
  expect([await by(1), await by(2), await by()]).toEqual([[{ by: 1 }], [{ by: 2 }], [{ by: 2 }]]);
  expect(await by(3)).toMatchObject({
    error: { code: 'UNKNOWN_NODE_TYPE_VERSION', message: expect.stringContaining('has 1, 2') },
  });
});
