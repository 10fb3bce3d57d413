import { afterAll, expect, jest, test } from '@jest/globals';
import {
  Access,
  createDatabase,
  DataTableConnections,
  DataTableRepository,
  DataTableRowRepository,
  ExecutionRepository,
  ExecutionStarter,
  WorkflowRepository,
} from '@sluice/db';
import { type ExecutionId, isTerminal, type JsonObject, UnavailableError } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { example } from '../../../packages/nodes-base/src/nodes/data-table/example.ts';
import { workflowDataTables } from '../src/run/workflow-data-tables.ts';
import { Fleet } from './support/fleet.ts';

const access = new Access('all');
const fleet = await Fleet.start();
await fleet.work();
afterAll(() => fleet.close());

/** Stores a workflow that runs the node on the input of its example. */
async function store(projectId: string, parameters: JsonObject) {
  const input = { assignments: [], mode: 'raw', jsonOutput: JSON.stringify(example.inputs?.[0]?.[0]) };
  const nodes = [
    aNode({ name: 'Start', type: 'base.manual-trigger' }),
    aNode({ name: 'Input', type: 'base.set', typeVersion: 3.4, parameters: input }),
    aNode({ name: 'Table', type: 'n8n-nodes-base.dataTable', parameters }),
  ];
  const created = { projectId, graph: aChain(nodes), staticData: null, meta: null, authorId: fleet.userId };
  return new WorkflowRepository(fleet.db.kysely).create(created, access);
}

/** Stores an execution of such a workflow. */
async function start(projectId: string, parameters: JsonObject) {
  const { id: workflowId, graphHash } = await store(projectId, parameters);
  const started = { workflowId, access, graphHash, mode: 'trigger', userId: null } as const;
  return { workflowId, executionId: await new ExecutionStarter(fleet.db).start(started) };
}

/** Runs an execution to its end. */
async function finish(executionId: ExecutionId) {
  await fleet.queue.enqueue({ executionId, attempt: 1 });
  return eventually(async () => {
    const execution = await new ExecutionRepository(fleet.db).get(executionId, access);
    return isTerminal(execution.status) && execution;
  });
}

async function run(projectId: string, parameters: JsonObject) {
  return finish((await start(projectId, parameters)).executionId);
}

test('a workflow upserts into a data table of its project, but cannot access other projects', async () => {
  const [projectId, otherId] = [await fleet.aProject(), await fleet.aProject()];
  const { id } = await new DataTableRepository(fleet.db.kysely).create(projectId, 'people', [
    { name: 'name', type: 'string' },
    { name: 'email', type: 'string' },
  ]);
  for (const _ of ['first', 'again']) expect(await run(projectId, example.parameters)).toMatchObject({ status: 'success' });
  const every = { type: 'and', filters: [] } as const;
  const { rows } = await new DataTableRowRepository(fleet.db.kysely).page(id, access, every, { limit: 10 });
  expect(rows).toEqual([{ ...example.outputs?.[0]?.[0], createdAt: expect.any(String), updatedAt: expect.any(String) }]);

  const dataTableId = { __rl: true, mode: 'id', value: id };
  expect(await run(otherId, { ...example.parameters, dataTableId })).toMatchObject({
    status: 'error',
    error: { code: 'FORBIDDEN' },
  });
});

test('an execution of a moved workflow uses the tables of the new project even before its own row has been moved', async () => {
  const [projectId, otherId] = [await fleet.aProject(), await fleet.aProject()];
  const tables = new DataTableRepository(fleet.db.kysely);
  const columns = [
    { name: 'name', type: 'string' },
    { name: 'email', type: 'string' },
  ] as const;
  const { id } = await tables.create(projectId, 'people', columns);
  const { workflowId, executionId } = await start(projectId, example.parameters);
  await new WorkflowRepository(fleet.db.kysely).transfer(workflowId, access, otherId, async () => undefined);
  await fleet.db.kysely.deleteFrom('execution_moves').execute();
  await fleet.db.kysely.updateTable('executions').set({ project_id: projectId }).where('id', '=', executionId).execute();

  expect(await finish(executionId)).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
  expect(await tables.get(id, access)).toMatchObject({ rowCount: 0 });
});

test('an upsert whose reply is lost inserts and outputs one row', async () => {
  const projectId = await fleet.aProject();
  const { id } = await new DataTableRepository(fleet.db.kysely).create(projectId, 'people', [
    { name: 'name', type: 'string' },
    { name: 'email', type: 'string' },
  ]);
  const { upsertBatch } = DataTableRowRepository.prototype;
  const inserted: boolean[] = [];
  const losing = jest.spyOn(DataTableRowRepository.prototype, 'upsertBatch').mockImplementation(async function (
    this: DataTableRowRepository,
    step,
  ) {
    const batch = await upsertBatch.call(this, step);
    inserted.push(batch.inserted);
    if (inserted.length === 1) throw new UnavailableError('the reply was lost');
    return batch;
  });
  expect(await run(projectId, example.parameters)).toMatchObject({ status: 'success' });
  losing.mockRestore();
  expect(inserted).toEqual([true, true]);
  const every = { type: 'and', filters: [] } as const;
  expect((await new DataTableRowRepository(fleet.db.kysely).page(id, access, every, { limit: 10 })).rows).toHaveLength(1);
});

test('an insert waits for other operations of its project and runs once', async () => {
  const projectId = await fleet.aProject();
  const connections = new DataTableConnections(1, 50);
  const { kysely } = fleet.db;
  const dataTables = new DataTableRepository(kysely, undefined, connections);
  const dataTableRows = new DataTableRowRepository(kysely, undefined, connections);
  const { id } = await dataTables.create(projectId, 'people', [{ name: 'name', type: 'string' }]);
  const { id: workflowId } = await store(projectId, example.parameters);
  const tables = workflowDataTables({ dataTables, dataTableRows }, workflowId);
  const others = Promise.withResolvers<void>();
  const busy = connections.use(projectId, () => others.promise);
  const refused = jest.spyOn(connections, 'use');
  const inserted = tables.insert(id, [{ name: 'Ada' }], AbortSignal.timeout(10_000));
  await Promise.race([inserted, eventually(async () => refused.mock.calls.length > 1)]);
  others.resolve();
  await busy;
  expect(await inserted).toMatchObject([{ id: 1, name: 'Ada' }]);
  expect(await dataTables.get(id, access)).toMatchObject({ rowCount: 1 });
});

test('an insert whose reply is lost inserts one row', async () => {
  const projectId = await fleet.aProject();
  const [dataTables, dataTableRows] = [new DataTableRepository(fleet.db.kysely), new DataTableRowRepository(fleet.db.kysely)];
  const { id } = await dataTables.create(projectId, 'people', [{ name: 'name', type: 'string' }]);
  const { id: workflowId } = await store(projectId, example.parameters);
  const { insert } = dataTableRows;
  let calls = 0;
  jest.spyOn(dataTableRows, 'insert').mockImplementation(async (...args) => {
    const rows = await insert.apply(dataTableRows, args);
    calls += 1;
    if (calls === 1) throw new UnavailableError('the reply was lost');
    return rows;
  });
  const tables = workflowDataTables({ dataTables, dataTableRows }, workflowId);
  expect(await tables.insert(id, [{ name: 'Ada' }], AbortSignal.timeout(10_000))).toMatchObject([{ id: 1, name: 'Ada' }]);
  expect(calls).toBe(2);
  expect(await dataTables.get(id, access)).toMatchObject({ rowCount: 1 });
});

test('a query that always times out fails instead of being repeated forever', async () => {
  const projectId = await fleet.aProject();
  const { id } = await new DataTableRepository(fleet.db.kysely).create(projectId, 'people', [{ name: 'name', type: 'string' }]);
  const { id: workflowId } = await store(projectId, example.parameters);
  const impatient = createDatabase({ url: fleet.databaseUrl, statementTimeoutMs: 100 });
  const [dataTables, dataTableRows] = [new DataTableRepository(impatient.kysely), new DataTableRowRepository(impatient.kysely)];
  const tables = workflowDataTables({ dataTables, dataTableRows }, workflowId);
  const every = { type: 'and', filters: [] } as const;
  try {
    await fleet.db.kysely.transaction().execute(async (tx) => {
      await sql`LOCK TABLE data_table_rows`.execute(tx);
      const signal = AbortSignal.timeout(5_000);
      const queries = [tables.rows(id, every, { limit: 1 }, signal), tables.update(id, every, { name: 'x' }, signal)];
      for (const query of await Promise.allSettled(queries))
        expect(query).toMatchObject({ reason: { message: expect.stringContaining('took too long to find the rows') } });
    });
  } finally {
    await impatient.close();
  }
});

test('all rows are changed before the node fails because its output is too large; a dry run stops early', async () => {
  const projectId = await fleet.aProject();
  const dataTables = new DataTableRepository(fleet.db.kysely);
  const dataTableRows = new DataTableRowRepository(fleet.db.kysely);
  const columns = [
    { name: 'name', type: 'string' },
    { name: 'age', type: 'number' },
  ] as const;
  const { id } = await dataTables.create(projectId, 'people', columns);
  const ages = Array.from({ length: 2_500 }, () => ({ age: 1 }));
  await dataTableRows.insert(id, access, ages);
  const { id: workflowId } = await store(projectId, example.parameters);
  const tables = workflowDataTables({ dataTables, dataTableRows }, workflowId, 200_000);
  const signal = AbortSignal.timeout(60_000);
  const every = { type: 'and', filters: [] } as const;
  const few = { type: 'and', filters: [{ columnName: 'id', condition: 'lte', value: 5 }] } as const;
  const refused = (message: string, description: string) => ({
    code: 'RESULT_TOO_LARGE',
    message: expect.stringContaining(message),
    description: expect.stringContaining(description),
  });
  const changed = refused('all 2500 rows were changed', 'Do not repeat the change');

  const steps = jest.spyOn(dataTableRows, 'previewBatch');
  await expect(tables.preview(id, { filter: every, values: { age: 2 }, upsert: false }, signal)).rejects.toMatchObject(
    refused('the dry run', 'No row was changed'),
  );
  expect(steps).toHaveBeenCalledTimes(1);
  expect(await tables.preview(id, { filter: few, values: { age: 2 }, upsert: false }, signal)).toHaveLength(5);

  for (const [age, write] of [tables.update, tables.upsert].entries()) {
    await expect(write(id, every, { age }, signal)).rejects.toMatchObject(changed);
    const filter = { type: 'and', filters: [{ columnName: 'age', condition: 'neq', value: age }] } as const;
    expect((await dataTableRows.page(id, access, filter, { limit: 1 })).rows).toEqual([]);
    expect(await write(id, few, { age }, signal)).toHaveLength(5);
  }

  await expect(tables.deleteRows(id, every, signal)).rejects.toMatchObject(changed);
  expect(await dataTables.get(id, access)).toMatchObject({ rowCount: 0 });

  await dataTableRows.insert(id, access, ages);
  await tables.clear(id, signal);
  expect(await dataTables.get(id, access)).toMatchObject({ rowCount: 0 });
});
