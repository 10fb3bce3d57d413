import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ExecutionId, type ExecutionStatus, randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { Access } from '../src/access.ts';
import { ExecutionRepository } from '../src/executions/execution-repository.ts';
import { BinaryRepository } from '../src/executions/storage/binary-repository.ts';
import { CalledExecutionRepository } from '../src/executions/waits/called-execution-repository.ts';
import type { NewChild } from '../src/executions/waits/new-child.ts';
import { WorkflowRepository } from '../src/workflows/workflow-repository.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let workflow: StoredWorkflow;
let executionId: ExecutionId;

const database = await testDatabase();
const binaries = new BinaryRepository(database.db.kysely);
const executions = new ExecutionRepository(database.db);
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.kysely.deleteFrom('executions').execute();
  await database.db.kysely.deleteFrom('binary_leftovers').execute();
  workflow = await aStoredWorkflow(database.db);
  executionId = await aRunning(workflow);
});

async function aRunning(of: StoredWorkflow): Promise<ExecutionId> {
  const [id = ''] = await startExecutions(database.db, [anExecution(of)]);
  await setStatus(id, 'running');
  return id;
}

/** An execution of another workflow, called by `of`. */
async function aChild(of: StoredWorkflow): Promise<ExecutionId> {
  const id = await aRunning(of);
  await sql`UPDATE executions SET parent_execution_id = ${executionId} WHERE id = ${id}`.execute(database.db.kysely);
  return id;
}

async function setStatus(id: ExecutionId, status: ExecutionStatus): Promise<void> {
  const stopped = status === 'running' ? sql`NULL` : sql`now()`;
  await sql`UPDATE executions SET status = ${status}, stopped_at = ${stopped} WHERE id = ${id}`.execute(database.db.kysely);
}

const begin = (id: string, holder = executionId) =>
  binaries.begin({ id, executionId: holder, fileName: 'a.txt', mimeType: 'text/plain' });

async function aFile(size = 10, holder = executionId): Promise<string> {
  const id = randomId();
  await begin(id, holder);
  await binaries.complete(id, holder, size);
  return id;
}

const remove = (...ids: ExecutionId[]) => executions.deleteMany(ids, () => undefined);
/** Makes leftovers due. */
const letLeftoversComeDue = () => sql`UPDATE binary_leftovers SET due_at = now() - interval '1 s'`.execute(database.db.kysely);
const leftovers = async () => (await binaries.takeLeftovers(100)).map(({ binaryId, referenced }) => [binaryId, referenced]);

describe('a file', () => {
  test('can be read once its upload is complete', async () => {
    const id = randomId();
    expect([await begin(id), await begin(id)]).toEqual([true, true]);
    expect(await binaries.findReadable(id, executionId)).toBeUndefined();
    await expect(binaries.get(id, new Access('all'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([await binaries.complete(id, executionId, 10), await binaries.complete(id, executionId, 10)]).toEqual([true, true]);
    const stored = { id, fileName: 'a.txt', mimeType: 'text/plain', size: 10 };
    expect(await binaries.findReadable(id, executionId)).toEqual(stored);
    expect(await binaries.get(id, new Access([workflow.projectId]))).toEqual(stored);
  });

  test('is not stored for an execution that is not running, or completed for a deleted execution', async () => {
    await setStatus(executionId, 'canceled');
    expect(await begin(randomId())).toBe(false);
    const running = await aRunning(workflow);
    const id = randomId();
    await begin(id, running);
    await remove(running);
    expect(await binaries.complete(id, running, 10)).toBe(false);
  });

  test('counts toward the limit of its execution, even if it is empty', async () => {
    expect(await binaries.countBytes(executionId)).toBe(0);
    await aFile(0);
    await aFile(100_000);
    expect(await binaries.countBytes(executionId)).toBe(104_096);
  });

  test('is readable only by executions of its project', async () => {
    const id = await aFile();
    const stranger = await aRunning(await aStoredWorkflow(database.db));
    expect(await binaries.findReadable(id, await aRunning(workflow))).toMatchObject({ id });
    expect(await binaries.findReadable(id, stranger)).toBeUndefined();
    await expect(binaries.get(id, new Access(['another']))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('follows its workflow to another project immediately', async () => {
    const id = await aFile();
    const target = await aStoredWorkflow(database.db);
    const moved = new WorkflowRepository(database.db.kysely);
    await moved.transfer(workflow.workflowId, new Access('all'), target.projectId, async () => {});
    expect(await binaries.get(id, new Access([target.projectId]))).toMatchObject({ id });
    expect(await binaries.findReadable(id, await aRunning(target))).toMatchObject({ id });
  });
});

describe('another execution', () => {
  test('of another project can read the files that a call passed to it, and passes back the files that it created', async () => {
    const child = await aChild(await aStoredWorkflow(database.db));
    const [linked, kept, foreign] = [
      await aFile(),
      await aFile(),
      await aFile(1, await aRunning(await aStoredWorkflow(database.db))),
    ];
    expect(await binaries.adopt([linked, foreign, randomId()], child, 'parent')).toEqual([linked]);
    expect(await binaries.adopt([linked], child, 'parent')).toEqual([linked]);
    expect(await binaries.findReadable(linked, child)).toMatchObject({ id: linked, size: 10 });
    for (const id of [kept, foreign]) expect(await binaries.findReadable(id, child)).toBeUndefined();
    const made = await aFile(5, child);
    expect(await binaries.findReadable(made, executionId)).toBeUndefined();
    expect(await binaries.adopt([made, foreign], executionId, 'children')).toEqual([made]);
    await remove(child);
    expect(await binaries.findReadable(made, executionId)).toMatchObject({ id: made, size: 5 });
    expect(await binaries.findReadable(foreign, executionId)).toBeUndefined();
  });

  test('takes files of a call only from its parent, and files of results only from its sub-executions', async () => {
    const child = await aChild(await aStoredWorkflow(database.db));
    const [ofChild, ofParent] = [await aFile(1, child), await aFile()];
    expect(await binaries.adopt([ofChild], executionId, 'parent')).toEqual([]);
    expect(await binaries.adopt([ofParent], child, 'children')).toEqual([]);
  });

  test('that is unrelated passes no files', async () => {
    const id = await aFile();
    const stranger = await aRunning(await aStoredWorkflow(database.db));
    expect(await binaries.adopt([id], stranger, 'parent')).toEqual([]);
    expect(await binaries.findReadable(id, stranger)).toBeUndefined();
  });

  test('that retries it also references its files, so that either can be deleted without the other', async () => {
    const [id, unfinished] = [await aFile(), randomId()];
    await begin(unfinished);
    await setStatus(executionId, 'error');
    const original = await executions.get(executionId, new Access('all'));
    const { graphHash } = workflow;
    const retry = await executions.retry({
      original,
      access: new Access('all'),
      graphHash,
      versionId: null,
      userId: null,
      keep: 'none',
    });
    await remove(executionId);
    expect(await binaries.findReadable(id, retry.id)).toMatchObject({ id });
    expect(await binaries.countBytes(retry.id)).toBe(4096);
    expect(await leftovers()).toEqual([[id, true]]);
  });
});

describe('a leftover', () => {
  test('of a deleted execution is due immediately, and again until it is removed', async () => {
    const id = await aFile();
    await remove(executionId);
    const [leftover] = await binaries.takeLeftovers(100);
    expect(leftover).toMatchObject({ binaryId: id, referenced: false, interrupted: false });
    expect(await leftovers()).toEqual([]);
    await letLeftoversComeDue();
    const again = await binaries.takeLeftovers(100);
    expect(again).toEqual([leftover]);
    await binaries.forgetLeftovers(again);
    await letLeftoversComeDue();
    expect(await leftovers()).toEqual([]);
  });

  test('is recorded when the execution is deleted in any way, even with its workflow', async () => {
    const id = await aFile();
    await new WorkflowRepository(database.db.kysely).delete(workflow.workflowId, new Access('all'));
    expect(await leftovers()).toEqual([[id, false]]);
  });

  test('is recorded when two transactions delete the last two holders concurrently', async () => {
    const id = await aFile();
    const other = await aRunning(workflow);
    await sql`UPDATE executions SET parent_execution_id = ${executionId} WHERE id = ${other}`.execute(database.db.kysely);
    await binaries.adopt([id], other, 'parent');
    await database.db.kysely.transaction().execute(async (tx) => {
      await tx.deleteFrom('executions').where('id', '=', executionId).execute();
      await remove(other);
    });
    expect(await leftovers()).toEqual([
      [id, false],
      [id, false],
    ]);
  });

  test('of an incomplete upload is recorded when the execution has ended, and deleted later', async () => {
    const id = randomId();
    await begin(id);
    expect(await binaries.dropUnfinished(10)).toBe(0);
    await setStatus(executionId, 'crashed');
    expect([await binaries.dropUnfinished(10), await binaries.dropUnfinished(10)]).toEqual([1, 0]);
    expect(await leftovers()).toEqual([]);
    await letLeftoversComeDue();
    expect(await binaries.takeLeftovers(10)).toMatchObject([{ binaryId: id, interrupted: true, referenced: false }]);
  });

  test('is claimed by one of several concurrent callers', async () => {
    for (let file = 0; file < 20; file += 1) await aFile();
    await remove(executionId);
    const batches = await Promise.all(Array.from({ length: 5 }, () => binaries.takeLeftovers(10)));
    const ids = batches.flat().map(({ seq }) => seq);
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  });
});

test('an execution that is started without being awaited references the files of its items, even in another project', async () => {
  const elsewhere = await aStoredWorkflow(database.db);
  const [passed, kept] = [await aFile(), await aFile()];
  const foreign = await aFile(1, await aRunning(elsewhere));
  const child: NewChild = {
    workflow: { id: elsewhere.workflowId, graphHash: elsewhere.graphHash, returnsAllRuns: false },
    inputJson: '{}',
    fileIds: [passed, foreign, randomId()],
  };
  const started = await new CalledExecutionRepository(database.db).start(executionId, [child, { ...child, fileIds: [] }], []);
  const [id, other] = started.map((one) => one.executionId) as [string, string];
  await setStatus(executionId, 'success');
  await remove(executionId);
  expect(await binaries.findReadable(passed, id)).toMatchObject({ id: passed, size: 10 });
  expect(await binaries.findReadable(kept, id)).toBeUndefined();
  const { rows } = await sql<{ id: string }>`SELECT id FROM binary_data WHERE execution_id IN (${id}, ${other})`.execute(
    database.db.kysely,
  );
  expect(rows).toEqual([{ id: passed }]);
});
