import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ExecutionId, randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { Access } from '../src/access.ts';
import { ExecutionRepository } from '../src/executions/execution-repository.ts';
import { ExecutionListRepository } from '../src/executions/views/execution-list-repository.ts';
import { AttentionRepository } from '../src/instance/attention-repository.ts';
import { ExecutionMoveRepository } from '../src/maintenance/execution-move-repository.ts';
import { ExecutionStatisticsRepository } from '../src/statistics/execution-statistics-repository.ts';
import { WorkerListRepository } from '../src/workers/worker-list-repository.ts';
import { WorkflowRepository } from '../src/workflows/workflow-repository.ts';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';

let workflow: StoredWorkflow;
let target: string;
let ids: ExecutionId[];

const database = await testDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.kysely.deleteFrom('execution_moves').execute();
  workflow = await aStoredWorkflow(database.db);
  target = randomId();
  await database.db.kysely.insertInto('projects').values({ id: target, name: 'target', type: 'team' }).execute();
  const started = await startExecutions(
    database.db,
    Array.from({ length: 7 }, () => anExecution(workflow)),
  );
  ids = started.toSorted((a, b) => Number(a) - Number(b));
});

const transfer = () =>
  new WorkflowRepository(database.db.kysely).transfer(workflow.workflowId, new Access('all'), target, async () => {});

async function projects(): Promise<string[]> {
  const rows = await database.db.kysely
    .selectFrom('executions')
    .select('project_id')
    .where('workflow_id', '=', workflow.workflowId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.project_id);
}

/** Makes the second pass due. */
async function settle(): Promise<void> {
  await database.db.kysely
    .updateTable('execution_moves')
    .set({ due_at: new Date(0) })
    .execute();
}

const list = (projectId: string) =>
  new ExecutionListRepository(database.db.kysely).page({}, new Access([projectId]), { limit: 100 });

describe('executions of a workflow that moved to another project', () => {
  test('no longer belong to the old project immediately, regardless of their number', async () => {
    await transfer();
    expect(await projects()).toEqual(ids.map(() => workflow.projectId));
    const [old, executions] = [new Access([workflow.projectId]), new ExecutionRepository(database.db)];
    const id = ids[0] as string;
    expect(await list(workflow.projectId)).toEqual([]);
    await expect(executions.get(id, old)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(executions.getShown(id, old)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await executions.cancelMany({ statuses: ['new'] }, old)).ids).toEqual([]);
    expect(
      await new ExecutionListRepository(database.db.kysely).count({ projectId: workflow.projectId }, new Access('all')),
    ).toMatchObject({
      count: 0,
    });
    expect((await executions.get(id, new Access([target]))).projectId).toBe(target);
  });

  test('do not count toward the queue or the statistics of the old project', async () => {
    const { kysely } = database.db;
    const old = new Access([workflow.projectId]);
    const counts = async () => [
      (await new ExecutionStatisticsRepository(kysely).readLive({}, old)).queued,
      (await new WorkerListRepository(kysely).readQueue(old)).queued,
      (await new AttentionRepository(kysely).listQueues(old, 1)).length,
    ];
    expect(await counts()).toEqual([7, 7, 1]);
    await transfer();
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test('are moved newest first, in batches that report whether there are more', async () => {
    await transfer();
    const moves = new ExecutionMoveRepository(database.db.kysely, { batch: 3 });
    expect(await moves.moveSome(workflow.workflowId)).toBe(true);
    expect((await projects()).map((id) => id === target)).toEqual([false, false, false, false, true, true, true]);
    expect((await list(target)).map(({ id }) => id)).toEqual(ids.slice(4).reverse());
    expect([await moves.moveSome(), await moves.moveSome(), await moves.moveSome()]).toEqual([true, true, false]);
    expect(await list(target)).toHaveLength(7);
    expect(await list(workflow.projectId)).toEqual([]);
  });

  test('are moved only once by concurrent processes', async () => {
    await transfer();
    const moves = new ExecutionMoveRepository(database.db.kysely, { batch: 2 });
    const work = async () => {
      for (let round = 0; round < 10; round++) await moves.moveSome();
    };
    await Promise.all([work(), work(), work()]);
    expect(new Set(await projects())).toEqual(new Set([target]));
  });

  test('are moved even if they were being started during the move', async () => {
    await transfer();
    const moves = new ExecutionMoveRepository(database.db.kysely);
    while (await moves.moveSome());
    const late = ids[6] as string;
    await database.db.kysely.updateTable('executions').set({ project_id: workflow.projectId }).where('id', '=', late).execute();
    expect((await list(workflow.projectId)).map(({ id }) => id)).toEqual([]);
    await settle();
    while (await moves.moveSome());
    expect(new Set(await projects())).toEqual(new Set([target]));
    expect(await database.db.kysely.selectFrom('execution_moves').selectAll().execute()).toEqual([]);
  });

  test('are moved back with the workflow', async () => {
    await transfer();
    const moves = new ExecutionMoveRepository(database.db.kysely, { batch: 3 });
    await moves.moveSome();
    await new WorkflowRepository(database.db.kysely).transfer(
      workflow.workflowId,
      new Access('all'),
      workflow.projectId,
      async () => {},
    );
    expect(await list(target)).toEqual([]);
    while (await moves.moveSome());
    expect(await list(workflow.projectId)).toHaveLength(7);
  });

  test('are deleted with the workflow in the middle of the move', async () => {
    await transfer();
    const moves = new ExecutionMoveRepository(database.db.kysely, { batch: 1 });
    await moves.moveSome();
    const deletion = new WorkflowRepository(database.db.kysely).delete(workflow.workflowId, new Access('all'));
    await Promise.all([deletion, moves.moveSome(), moves.moveSome(), moves.moveSome()]);
    expect(await projects()).toEqual([]);
    expect(await moves.moveSome()).toBe(false);
  });
});
