import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Access, AnnotationRepository, ExecutionRepository, WorkflowRepository } from '@sluice/db';
import { type ExecutionId, randomId } from '@sluice/domain';
import { eventually, testDatabase } from '@sluice/test-support';
import { anExecution, aStoredWorkflow, type StoredWorkflow, startExecutions } from './a-workflow.ts';
import { isLockAwaited } from './is-lock-awaited.ts';

let workflow: StoredWorkflow;
let id: ExecutionId;

const database = await testDatabase();
const executions = new ExecutionRepository(database.db);
const annotations = new AnnotationRepository(database.db.kysely);
afterAll(() => database.drop());
beforeEach(async () => {
  workflow = await aStoredWorkflow(database.db);
  [id = ''] = await startExecutions(database.db, [anExecution(workflow)]);
});

const all = new Access('all');
const stranger = new Access(['another project']);

const writes: [string, (id: ExecutionId, access: Access) => Promise<unknown>, object][] = [
  ['cancel', (id, access) => executions.cancel(id, access), { status: 'canceled' }],
  ['annotate', (id, access) => annotations.annotate(id, access, { vote: 'up' }), { annotation: { vote: 'up' } }],
];

describe.each(writes)('%s', (_, write, changed) => {
  test('rejects an inaccessible execution and changes nothing', async () => {
    await expect(write(id, stranger)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await executions.getShown(id, all)).toMatchObject({ status: 'new', annotation: { vote: null } });
  });

  test.each(['9999999', 'x'])('rejects the missing execution %s', async (unknown) => {
    await expect(write(unknown, all)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('depends on the current project of the workflow', async () => {
    const target = randomId();
    await database.db.kysely.insertInto('projects').values({ id: target, name: 'target', type: 'team' }).execute();
    await new WorkflowRepository(database.db.kysely).transfer(workflow.workflowId, all, target, async () => {});
    await expect(write(id, new Access([workflow.projectId]))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await write(id, new Access([target]));
    expect(await executions.getShown(id, all)).toMatchObject(changed);
  });
});

test('an annotation of an execution that is deleted in the meantime is rejected as not found', async () => {
  let annotation: Promise<unknown> | undefined;
  await database.db.kysely.transaction().execute(async (tx) => {
    await tx.deleteFrom('executions').where('id', '=', id).execute();
    annotation = annotations.annotate(id, all, { vote: 'up' });
    annotation.catch(() => {});
    await eventually(() => isLockAwaited(database.db));
  });
  await expect(annotation).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a retry is rejected if the workflow was moved after the original was read', async () => {
  await executions.cancel(id, all);
  const access = new Access([workflow.projectId]);
  const original = await executions.get(id, access);
  const target = randomId();
  await database.db.kysely.insertInto('projects').values({ id: target, name: 'target', type: 'team' }).execute();
  await new WorkflowRepository(database.db.kysely).transfer(workflow.workflowId, all, target, async () => {});
  const retry = { original, access, graphHash: original.graphHash, versionId: null, userId: null, keep: 'none' as const };
  await expect(executions.retry(retry)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await executions.retry({ ...retry, access: new Access([target]) })).repeated).toBe(false);
});
