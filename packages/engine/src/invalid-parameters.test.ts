import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import type { NodeProperty } from '@sluice/node-sdk';
import { graphOf, type NodeSpec, runGraph, testEngine } from './testing/run-graph.ts';
import { testType } from './testing/test-nodes.ts';

const names: NodeProperty = { displayName: 'Name', name: 'name', type: 'string', default: '' };
const conditions: NodeProperty = { displayName: 'Conditions', name: 'conditions', type: 'filter', default: {} };
const expert: NodeProperty = { displayName: 'Expert', name: 'expert', type: 'boolean', default: false };
const depth: NodeProperty = {
  displayName: 'Depth',
  name: 'depth',
  type: 'number',
  default: 1,
  displayOptions: { show: { expert: [true] } },
};
const malformed: JsonObject = { conditions: [{ field: 'a', op: 'eq', value: 1 }] };
const message = 'the parameter "conditions" must be an object, but is a list';

/** Runs a node `X` whose type has the parameters above. */
async function run(spec: NodeSpec) {
  let executed = 0;
  const engine = testEngine();
  const type = testType(
    'strict',
    ({ items }) => {
      executed += 1;
      return [[...items()]];
    },
    { properties: [conditions, names, expert, depth] },
  );
  engine.types.set('base.strict', type).set('acme.strict', type);
  const graph = graphOf(['T -> X', 'X:0 -> Out'], { T: { type: 'manual-trigger' }, X: { type: 'strict', ...spec } });
  const { outcome, runData } = await runGraph(graph, {}, engine);
  return { outcome, nodeRun: runData['X']?.[0], executed };
}

test('a node with malformed parameters does not run, and its error names the parameter', async () => {
  const { outcome, nodeRun, executed } = await run({ parameters: malformed });
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAMETER', message, node: 'X' } });
  expect(nodeRun?.error?.details).toEqual({ parameters: [{ path: 'conditions', message }] });
  expect(executed).toBe(0);
});

test('malformed parameters are not retried, and onError applies to them', async () => {
  const onError = 'continueRegularOutput';
  const { outcome, nodeRun, executed } = await run({ parameters: malformed, onError, retryOnFail: true, maxTries: 3 });
  expect(outcome.status).toBe('success');
  expect(nodeRun?.error?.message).toBe(message);
  expect(nodeRun?.data?.['main']?.[0]).toHaveLength(1);
  expect(executed).toBe(0);
});

test('an unknown parameter adds a hint to the run', async () => {
  const { nodeRun, executed } = await run({ parameters: { leftover: {} } });
  expect(nodeRun?.hints).toEqual([
    {
      message: 'there is no parameter "leftover", so it has no effect; known: conditions, name, expert, depth',
      type: 'warning',
    },
  ]);
  expect(executed).toBe(1);
});

test('a parameter that an absent parameter hides adds a hint to the run', async () => {
  const { nodeRun, executed } = await run({ parameters: { depth: 5 } });
  expect(nodeRun?.hints).toEqual([{ message: 'the parameter "depth" is used only if "expert" is true', type: 'warning' }]);
  expect(executed).toBe(1);
  expect((await run({ parameters: { depth: 5, expert: false } })).nodeRun?.hints).toBeUndefined();
});

test('a type of an installed package runs with unknown parameters and adds a hint', async () => {
  const { nodeRun, executed } = await run({ type: 'acme.strict', parameters: malformed });
  expect(nodeRun?.hints).toEqual([{ message, type: 'warning' }]);
  expect(executed).toBe(1);
});

test('a value that the node may still accept adds a hint to the run', async () => {
  const { nodeRun, executed } = await run({ parameters: { name: ['x'] } });
  expect(nodeRun?.hints).toEqual([{ message: 'the parameter "name" must be a string, but is a list', type: 'warning' }]);
  expect(executed).toBe(1);
});

test('a misspelled parameter fails the run', async () => {
  const { outcome, executed } = await run({ parameters: { condtions: {} } });
  const text = 'there is no parameter "condtions"; did you mean "conditions"?';
  expect(outcome).toMatchObject({ status: 'error', error: { code: 'INVALID_PARAMETER', message: text } });
  expect(executed).toBe(0);
});
