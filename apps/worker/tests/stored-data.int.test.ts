import { afterAll, describe, expect, jest, test } from '@jest/globals';
import {
  Access,
  ExecutionRepository,
  ExecutionStarter,
  RunDataRepository,
  SeenHistoryRepository,
  StaticDataRepository,
  VariableRepository,
  WorkflowRepository,
} from '@sluice/db';
import {
  type ExecutionMode,
  isTerminal,
  type JsonObject,
  UnavailableError,
  type WorkflowNode,
  type WorkflowSettings,
} from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { Fleet } from './support/fleet.ts';

const fleet = await Fleet.start({ EXPRESSIONS_ENV_ALLOW: 'NODE_ENV', NODE_RUNS_MAX: '50' });
const projectId = await fleet.aProject();
await new VariableRepository(fleet.db.kysely).set('region', 'eu');
await fleet.work();
afterAll(() => fleet.close());

const code = (jsCode: string) => aNode({ name: 'Code', type: 'base.code', typeVersion: 2, parameters: { jsCode } });

interface Stored {
  workflowId: string;
  graphHash: string;
}

/** `Start`, then `node`. */
async function aWorkflow(
  node: WorkflowNode,
  settings: WorkflowSettings = {},
  staticData: JsonObject | null = null,
): Promise<Stored> {
  const graph = aChain([aNode({ name: 'Start', type: 'base.manual-trigger' }), node], { settings });
  const created = { projectId, graph, staticData, meta: null, authorId: fleet.userId };
  const { id, graphHash } = await new WorkflowRepository(fleet.db.kysely).create(created, new Access('all'));
  return { workflowId: id, graphHash };
}

async function run({ workflowId, graphHash }: Stored, mode: ExecutionMode = 'trigger') {
  const access = new Access('all');
  const executionId = await new ExecutionStarter(fleet.db).start({ workflowId, access, graphHash, mode, userId: null });
  await fleet.queue.enqueue({ executionId, attempt: 1 });
  const executions = new ExecutionRepository(fleet.db);
  const execution = await eventually(async () => {
    const current = await executions.get(executionId, access);
    return isTerminal(current.status) && current;
  });
  const runs = await new RunDataRepository(fleet.db).listNodeRuns(executionId);
  return { execution, items: runs.at(-1)?.run.data?.['main']?.[0]?.map(({ json }) => json), runs };
}

const storedData = ({ workflowId }: Stored) => new StaticDataRepository(fleet.db.kysely).read(workflowId);

describe('static data', () => {
  const count = 'const data = $getWorkflowStaticData("node"); data.n = (data.n ?? 0) + 1; return { n: data.n }';

  test('is available in the next execution and separate for each node', async () => {
    const workflow = await aWorkflow(code(count), {}, { global: { g: 1 } });
    for (const n of [1, 2]) expect((await run(workflow)).items).toEqual([{ n }]);
    expect(await storedData(workflow)).toEqual({ global: { g: 1 }, 'node:Code': { n: 2 } });
  });

  test('of a manual or failed run is not stored', async () => {
    const byHand = await aWorkflow(code(count));
    expect((await run(byHand, 'manual')).items).toEqual([{ n: 1 }]);
    expect(await storedData(byHand)).toBeNull();
    const failing = await aWorkflow(code(`${count.split(';')[0]}; data.n = 1; throw new Error("no")`));
    expect((await run(failing)).execution.status).toBe('error');
    expect(await storedData(failing)).toBeNull();
  });
});

test('custom data is recorded with the node run that set it', async () => {
  const { runs } = await run(await aWorkflow(code('$execution.customData.set("order", 7); return []')));
  expect(runs.at(-1)?.run.customData).toEqual({ order: '7' });
});

test('items that an earlier execution has processed are removed', async () => {
  const parameters = { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: 'always the same' };
  const workflow = await aWorkflow(aNode({ name: 'New', type: 'base.remove-duplicates', typeVersion: 2, parameters }));
  expect((await run(workflow)).items).toEqual([{}]);
  expect((await run(workflow)).items).toEqual([]);
});

test('items are not removed as duplicates if the reply to the commit that records them is lost', async () => {
  const { add } = SeenHistoryRepository.prototype;
  jest.spyOn(SeenHistoryRepository.prototype, 'add').mockImplementationOnce(async function (
    this: SeenHistoryRepository,
    ...all
  ) {
    await add.apply(this, all);
    throw new UnavailableError('the reply was lost');
  });
  const parameters = { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: 'always the same' };
  const workflow = await aWorkflow(aNode({ name: 'New', type: 'base.remove-duplicates', typeVersion: 2, parameters }));
  expect((await run(workflow)).items).toEqual([{}]);
  expect((await run(workflow)).items).toEqual([]);
});

test('expressions can read variables and the allowed environment variables', async () => {
  const { items } = await run(
    await aWorkflow(code('return { region: $vars.region, none: $vars.none, env: Object.keys($env) }')),
  );
  expect(items).toEqual([{ region: 'eu', env: ['NODE_ENV'] }]);
});

test('`$workflow.active` reflects whether the workflow is active', async () => {
  const workflow = await aWorkflow(code('return { active: $workflow.active }'));
  expect((await run(workflow)).items).toEqual([{ active: false }]);
  await new WorkflowRepository(fleet.db.kysely).activate(workflow.workflowId, new Access('all'), {});
  expect((await run(workflow)).items).toEqual([{ active: true }]);
});

test('an execution that its workflow does not keep is available after its end, marked for deletion', async () => {
  const settings = { saveDataSuccessExecution: 'none' };
  const workflow = await aWorkflow(code('return []'), settings);
  const marks = async (id: string) =>
    fleet.db.kysely.selectFrom('executions').select('discard_at').where('id', '=', id).executeTakeFirstOrThrow();
  const unwanted = await run(workflow);
  expect(unwanted.execution.status).toBe('success');
  expect((await marks(unwanted.execution.id)).discard_at).toBeInstanceOf(Date);
  expect((await marks((await run(workflow, 'manual')).execution.id)).discard_at).toBeNull();
});

test('an unknown time zone ends the run with an error that names it', async () => {
  const { execution } = await run(await aWorkflow(code('return []'), { timezone: 'Mars/Olympus' }));
  expect(execution).toMatchObject({
    status: 'error',
    error: { code: 'INVALID_WORKFLOW_SETTING', message: expect.stringContaining('"Mars/Olympus"') },
  });
});

test('an endless loop is aborted, and the error names its node', async () => {
  const workflow = await aLoop();
  const { execution } = await run(workflow);
  expect(execution).toMatchObject({ status: 'error', error: { code: 'TOO_MANY_NODE_RUNS', node: expect.any(String) } });
});

async function aLoop(): Promise<Stored> {
  const graph = aChain([
    aNode({ name: 'Start', type: 'base.manual-trigger' }),
    aNode({ name: 'A', type: 'base.no-op' }),
    aNode({ name: 'B', type: 'base.no-op' }),
  ]);
  graph.connections['B'] = { main: [[{ node: 'A', type: 'main', index: 0 }]] };
  const created = { projectId, graph, staticData: null, meta: null, authorId: fleet.userId };
  const { id, graphHash } = await new WorkflowRepository(fleet.db.kysely).create(created, new Access('all'));
  return { workflowId: id, graphHash };
}
