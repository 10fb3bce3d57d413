import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, NodeRunRecord, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { runWorkflow } from '@sluice/engine';
import { noNetwork } from '@sluice/node-sdk/testing';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { createSandbox } from '@sluice/sandbox';
import { anUnknownComparison } from '@sluice/test-support';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const refused = () => Promise.reject(new Error('not in this test'));
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Runs one node on items, with the expressions of its parameters evaluated in the real sandbox. */
async function run(
  type: string,
  typeVersion: number | undefined,
  parameters: JsonObject,
  items: JsonObject[] = [{ n: 1 }],
  node: Partial<WorkflowNode> = {},
) {
  const records: NodeRunRecord[] = [];
  const position: [number, number] = [0, 0];
  const graph: WorkflowGraph = {
    name: 'test',
    nodes: [
      { name: 'T', type: 'base.manual-trigger', parameters: {}, position },
      { name: 'X', type: `base.${type}`, ...(typeVersion !== undefined && { typeVersion }), parameters, position, ...node },
    ],
    connections: { T: { main: [[{ node: 'X', type: 'main', index: 0 }]] } },
    pinData: { T: items.map((json) => ({ json })) },
  };
  const outcome = await runWorkflow(
    {
      sandbox,
      nodeTypes: createNodeTypeRegistry(baseNodeTypes),
      http: noNetwork,
      connect: refused,
      now: Date.now,
    },
    {
      executionId: '1',
      workflow: { id: 'w1', projectId: 'p1', name: 'test', active: false },
      graph,
      mode: 'manual',
      start: {},
      done: [],
      timezone: 'UTC',
      vars: {},
      env: {},
      recorder: { nodeFinished: (record) => void records.push(record) },
      credentials: { open: refused, authentication: refused, hide: () => {} },
      binary: { store: refused, read: refused, open: refused },
      signal: new AbortController().signal,
      logger: silent,
    },
  );
  return { outcome, run: records.find(({ nodeName }) => nodeName === 'X')?.run };
}

test.each<[string, number | undefined, JsonObject, string]>([
  [
    'a list of conditions',
    2.2,
    { conditions: [{ field: 'n', op: 'eq', value: 1 }] },
    'the parameter "conditions" must be an object, but is a list',
  ],
  [
    'conditions in the format of version 1 and no version',
    undefined,
    { conditions: { number: [{ value1: 1, value2: 2 }] } },
    'the parameter "conditions.number" does not exist; allowed: conditions, combinator, options',
  ],
  [
    'an unknown operator',
    2.2,
    { conditions: { conditions: [anUnknownComparison] } },
    'the parameter "conditions.conditions.0.operator.operation" has the value "resembles"; allowed: exists, ',
  ],
])(
  'an If node with %s emits no item: the run fails with an error that lists what is allowed',
  async (_, typeVersion, parameters, message) => {
    const { outcome, run: failed } = await run('if', typeVersion, parameters);
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_PARAMETER', message: expect.stringContaining(message), node: 'X' },
    });
    expect(failed?.data?.['main'] ?? []).toEqual([]);
  },
);

const list = '={{ [{ field: "a" }] }}';
const notAnObject = (name: string) => `the parameter "${name}" must be an object, but is a list`;

describe('a malformed container from an expression fails like a literal one', () => {
  test.each<[string, number, JsonObject, string]>([
    ['if', 2.2, { conditions: list }, notAnObject('conditions')],
    ['if', 1, { conditions: list }, notAnObject('conditions')],
    ['if', 2.2, { conditions: '={{ undefined }}' }, 'the parameter "conditions" must be an object, but is null'],
    ['if', 2.2, { conditions: { conditions: '={{ [1] }}' } }, '"conditions.conditions.0" must be an object, but is 1'],
    ['if', 2.2, { conditions: { conditions: ['={{ ({}) }}'] } }, 'allowed: type, operation'],
    ['filter', 2.2, { conditions: list }, notAnObject('conditions')],
    ['filter', 2.2, { conditions: '={{ "x" }}' }, 'the parameter "conditions" must be an object, but is "x"'],
    ['filter', 2.2, { conditions: '={{ "=x" }}' }, 'the parameter "conditions" must be an object, but is "=x"'],
    ['switch', 3.2, { rules: list }, notAnObject('rules')],
    ['switch', 3.2, { rules: { values: '={{ "x" }}' } }, '"rules.values" must be a list of objects, but is "x"'],
    ['set', 3.4, { assignments: '={{ [{ name: "a" }] }}' }, notAnObject('assignments')],
    ['set', 3.4, { assignments: { assignments: '={{ [{ key: "a" }] }}' } }, 'allowed: name, type, value'],
    ['set', 3.4, { options: '={{ [1] }}' }, notAnObject('options')],
    ['rename-keys', 1, { keys: '={{ [1] }}' }, notAnObject('keys')],
    [
      'http-request',
      4.2,
      { url: 'http://localhost/', sendHeaders: '={{ true }}', headerParameters: '={{ ({ X: 1 }) }}' },
      'the parameter "headerParameters.X" does not exist; allowed: parameters',
    ],
  ])('%s %d %j', async (type, version, parameters, message) => {
    const { outcome } = await run(type, version, parameters);
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_PARAMETER', message: expect.stringContaining(message), node: 'X' },
    });
  });

  test('a well-formed container from an expression is accepted like a literal one', async () => {
    const condition = '{ leftValue: $json.n, rightValue: 1, operator: { type: "number", operation: "equals" } }';
    const conditions = `={{ ({ combinator: "and", conditions: [${condition}] }) }}`;
    const { run: chosen } = await run('if', 2.2, { conditions }, [{ n: 1 }, { n: 2 }]);
    expect(chosen?.data?.['main']?.map((items) => items?.map(({ json }) => json))).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    const rules = `={{ ({ values: [{ conditions: { conditions: [${condition}] } }] }) }}`;
    const { run: routed } = await run('switch', 3.2, { rules }, [{ n: 1 }, { n: 2 }]);
    expect(routed?.data?.['main']?.map((items) => items?.map(({ json }) => json))).toEqual([[{ n: 1 }]]);
  });

  test('only items with a malformed container fail', async () => {
    const keys = '={{ $json.n === 1 ? [1] : { key: [{ currentKey: "n", newKey: "m" }] } }}';
    const node = { onError: 'continueRegularOutput' } as const;
    const { run: renamed } = await run('rename-keys', 1, { keys }, [{ n: 1 }, { n: 2 }], node);
    expect(renamed?.data?.['main']?.[0]).toMatchObject([{ json: { error: notAnObject('keys') } }, { json: { m: 2 } }]);
  });
});
