import { describe, expect, jest, test } from '@jest/globals';
import {
  type CallableWorkflow,
  type Item,
  isFailedItem,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type Suspension,
  type WorkflowRunResult,
} from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { example } from './example.ts';
import { executeWorkflow } from './execute-workflow.ts';

const callable = (id: string): CallableWorkflow => ({
  id,
  name: id.toUpperCase(),
  graphHash: `hash of ${id}`,
  returnsAllRuns: false,
});

function someWorkflows() {
  return {
    find: jest.fn(async (id: string) => {
      if (id === 'missing') throw new NodeOperationError('there is no workflow missing', {}, 'WORKFLOW_NOT_CALLABLE');
      return callable(id);
    }),
    define: jest.fn(async (_: JsonObject) => callable('inline')),
    current: jest.fn(() => ({ workflow: callable('current') })),
    start: jest.fn(async () => ['1']),
  };
}

async function call(
  run: FakeRun,
): Promise<{ suspension: Suspension | undefined; workflows: ReturnType<typeof someWorkflows>; output: unknown }> {
  const workflows = someWorkflows();
  let suspension: Suspension | undefined;
  const output = await runNode(executeWorkflow, { workflows, suspended: (request) => (suspension = request), ...run });
  return { suspension, workflows, output };
}

const runsOf = (suspension: Suspension | undefined) =>
  suspension?.kind === 'workflows'
    ? suspension.runs.map(({ workflow, items }) => [workflow.id, items.map(({ json }) => json)])
    : [];

const succeeded = (...json: JsonObject[]): WorkflowRunResult => ({
  executionId: '9',
  status: 'success',
  items: json.map((one): Item => ({ json: one, pairedItem: { item: 7 } })),
});
const failed: WorkflowRunResult = {
  executionId: '9',
  status: 'failed',
  error: { message: 'sub-workflow "B" failed', node: 'X' },
};
const resume = (results: WorkflowRunResult[], run: FakeRun = {}) =>
  runNode(executeWorkflow, { event: { kind: 'workflows', results }, ...run });

describe('calling', () => {
  test.each<[number, JsonValue]>([
    [1, 'b'],
    [1.1, { __rl: true, mode: 'list', value: 'b', cachedResultName: 'B' }],
  ])('version %d suspends until the workflow %j has run with all items', async (typeVersion, workflowId) => {
    const { suspension } = await call({ typeVersion, json: [{ n: 1 }, { n: 2 }], parameters: { workflowId } });
    expect(suspension).toMatchObject({ kind: 'workflows', stopAtFailure: true });
    expect(runsOf(suspension)).toEqual([['b', [{ n: 1 }, { n: 2 }]]]);
  });

  test('a long definition or mapping for many items never blocks the event loop', async () => {
    const json = Array.from({ length: 250 }, () => ({}));
    const long = { source: 'parameter', mode: 'each', workflowJson: { nodes: [{ note: 'x'.repeat(500_000) }] } };
    expect(await longestBusy(() => call({ json, parameters: long }))).toBeLessThan(150);
    const schema = Array.from({ length: 20_000 }, (_, i) => ({ id: `f${i}`, type: 'string' }));
    const wide = { workflowId: 'b', workflowInputs: { value: {}, schema } };
    expect(await longestBusy(() => call({ json, parameters: wide, typeVersion: 1.2 }))).toBeLessThan(150);
  });

  test('runs each item’s workflow; each workflow is looked up once', async () => {
    const { suspension, workflows } = await call({
      json: [{ n: 1 }, { n: 2 }, { n: 3 }],
      parameters: (i) => ({ mode: 'each', workflowId: i === 1 ? 'c' : 'b' }),
    });
    expect(runsOf(suspension)).toEqual([
      ['b', [{ n: 1 }]],
      ['c', [{ n: 2 }]],
      ['b', [{ n: 3 }]],
    ]);
    expect(workflows.find).toHaveBeenCalledTimes(2);
  });

  test('passes the items on without waiting', async () => {
    const { suspension, workflows, output } = await call({
      json: [{ n: 1 }],
      parameters: { workflowId: 'b', options: { waitForSubWorkflow: false } },
    });
    expect(suspension).toBeUndefined();
    expect(workflows.start).toHaveBeenCalledTimes(1);
    expect(output).toEqual([[{ json: { n: 1 }, pairedItem: { item: 0 } }]]);
  });

  test('a workflow can be defined as JSON', async () => {
    const { suspension, workflows } = await call({ parameters: { source: 'parameter', workflowJson: '{"nodes":[]}' } });
    expect(workflows.define.mock.calls as unknown[]).toEqual([[{ nodes: [] }]]);
    expect(runsOf(suspension)).toEqual([['inline', [{}]]]);
  });

  test('continues after a failure if configured', async () => {
    const { suspension } = await call({ continueOnFail: true, parameters: { workflowId: 'b' } });
    expect(suspension).toMatchObject({ stopAtFailure: false });
  });

  test.each<[JsonObject, string]>([
    [{ workflowId: '' }, '"workflowId"'],
    [{ workflowId: 'missing' }, 'no workflow missing'],
    [{ source: 'url', workflowUrl: 'https://x.test' }, 'from a URL is not supported'],
    [{ source: 'localFile', workflowPath: '/x' }, 'from a file is not supported'],
    [{ source: 'parameter', workflowJson: '{' }, '"workflowJson" is not valid JSON'],
  ])('%j fails: %s', async (parameters, message) => {
    await expect(call({ typeVersion: 1, parameters })).rejects.toThrow(message);
  });

  test('refuses more runs than one node may start', async () => {
    const json = Array.from({ length: 10_001 }, () => ({}));
    await expect(call({ json, parameters: { workflowId: 'b', mode: 'each' } })).rejects.toThrow('10000 times, not 10001');
  });
});

describe('mapped inputs', () => {
  const schema: JsonObject[] = [
    { id: 'a', type: 'number' },
    { id: 'b', displayName: 'B', type: 'boolean' },
    { id: 'gone', removed: true },
  ];
  const workflowInputs: JsonObject = { mappingMode: 'defineBelow', value: { a: 5 }, schema };
  const mapped = (typeVersion: number, inputs: JsonObject, more: JsonObject = {}) =>
    call({
      typeVersion,
      json: [{ a: 1, c: 3, gone: 4 }],
      parameters: { workflowId: 'b', workflowInputs: inputs, ...more },
    });

  test.each<[number, JsonObject, JsonObject]>([
    [1.1, workflowInputs, { a: 1, c: 3, gone: 4 }],
    [1.2, workflowInputs, { a: 5, c: 3 }],
    [1.3, { ...workflowInputs, value: { new: 7, gone: 8 } }, { a: 1, c: 3, new: 7 }],
    [1.4, { ...workflowInputs, value: { a: null } }, { c: 3 }],
    [1.3, { ...workflowInputs, schema: [] }, { a: 5, c: 3, gone: 4 }],
    [1.4, { value: null, schema: [] }, { a: 1, c: 3, gone: 4 }],
    [1.2, { ...workflowInputs, attemptToConvertTypes: true, value: { a: '5', b: 'true' } }, { a: 5, b: true, c: 3 }],
  ])('version %d with %j passes %j', async (typeVersion, inputs, json) => {
    const { suspension } = await mapped(typeVersion, inputs);
    expect(runsOf(suspension)).toEqual([['b', [json]]]);
  });

  test('a mapped expression without a value removes the field', async () => {
    const written = { ...workflowInputs, value: { a: '={{ $json.none }}' } };
    const { suspension } = await call({
      typeVersion: 1.2,
      json: [{ a: 1, c: 3 }],
      written: { workflowInputs: written },
      parameters: { workflowId: 'b', workflowInputs: { ...workflowInputs, value: {} } },
    });
    expect(runsOf(suspension)).toEqual([['b', [{ c: 3 }]]]);
  });

  test.each<[JsonObject]>([
    [{ value: { a: '5' } }],
    [{ value: { b: 1 } }],
    [{ value: { a: 'x' }, attemptToConvertTypes: true }],
  ])('%j has a value of another type', async (inputs) => {
    await expect(mapped(1.2, { ...workflowInputs, ...inputs })).rejects.toMatchObject({
      message: expect.stringMatching(/^the workflow input "[ab]" must be of type/),
      itemIndex: 0,
    });
  });

  test('without waiting, the items pass unchanged', async () => {
    const { output } = await mapped(1.2, workflowInputs, { options: { waitForSubWorkflow: false } });
    expect(output).toEqual([[{ json: { a: 5, c: 3 }, pairedItem: { item: 0 } }]]);
  });
});

describe('resuming', () => {
  test('returns the workflow’s results, not paired with the other workflow’s nodes', async () => {
    expect(await resume([succeeded({ a: 1 }, { a: 2 })])).toEqual([[{ json: { a: 1 } }, { json: { a: 2 } }]]);
  });

  test('results for all items are paired one to one, or else each with all items', async () => {
    const pairs = async (...results: JsonObject[]) =>
      (await resume([succeeded(...results)], { json: [{}, {}] }))[0]?.map(({ pairedItem }) => pairedItem);
    expect(await pairs({}, {})).toEqual([undefined, undefined]);
    expect(await pairs({})).toEqual([[{ item: 0 }, { item: 1 }]]);
  });

  test('thousands of results for thousands of items remain unpaired: their pairs would fill the memory', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
    const [items = []] = await resume([succeeded(...many(2_999))], { json: many(3_000) });
    expect(items).toHaveLength(2_999);
    expect(items?.some(({ pairedItem }) => pairedItem !== undefined)).toBe(false);
  });

  test('in mode each, pairs each run’s results with its item', async () => {
    const { parameters = {}, inputs = [] } = example;
    const results = inputs[0]?.map((json) => succeeded({ ...json, charged: true })) ?? [];
    const output = await resume(results, { json: inputs[0] ?? [], parameters });
    expect(output[0]?.map(({ json }) => json)).toEqual(example.outputs?.[0]);
    expect(output[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  test('fails with the workflow’s error and the item', async () => {
    const run = resume([succeeded(), failed, { executionId: '9', status: 'skipped' }], {
      json: [{}, {}, {}],
      parameters: { mode: 'each' },
    });
    await expect(run).rejects.toMatchObject({
      message: 'sub-workflow "B" failed',
      itemIndex: 1,
      details: { executionId: '9', node: 'X' },
    });
  });

  test('if the node may continue, returns the failure as a separate item', async () => {
    const output = await resume([failed, succeeded({ a: 2 })], {
      json: [{}, {}],
      parameters: { mode: 'each' },
      continueOnFail: true,
    });
    expect(output[0]?.map(({ json }) => json)).toEqual([{ error: 'sub-workflow "B" failed' }, { a: 2 }]);
    expect(output[0]?.map(isFailedItem)).toEqual([true, false]);
  });

  test('a failed run over all items is paired with all of them', async () => {
    const [items] = await resume([failed], { json: [{}, {}], onError: 'continueRegularOutput' });
    expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }, { item: 1 }]]);
  });
});
