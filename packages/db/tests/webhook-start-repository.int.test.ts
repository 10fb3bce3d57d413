import { afterAll, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { eventually, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { BinaryRepository } from '../src/executions/storage/binary-repository.ts';
import { WebhookResponseRepository } from '../src/executions/waits/webhook-response-repository.ts';
import { replaceTriggers } from '../src/triggers/trigger-repository.ts';
import { WebhookRouteRepository } from '../src/triggers/webhook-route-repository.ts';
import { WebhookStartRepository } from '../src/triggers/webhook-start-repository.ts';
import { anActiveWorkflow, aWebhookSpec } from './a-workflow.ts';

const database = await testDatabase();
const starts = new WebhookStartRepository(database.db);
const { workflowId, graphHash } = await anActiveWorkflow(database.db);
const webhookStart = { workflowId, graphHash, nodeName: 'Webhook', spec: aWebhookSpec, input: {}, files: [], key: undefined };
afterAll(() => database.drop());

const aFile = () => ({ id: randomId(), fileName: null, mimeType: 'text/plain', size: 3 });

test('a registered file is referenced by the execution of its request, or becomes a leftover', async () => {
  const [kept, lost] = [aFile(), aFile()];
  await starts.announce(kept.id, lost.id);
  const binaries = new BinaryRepository(database.db.kysely);
  expect(await binaries.takeLeftovers(10)).toEqual([]);
  const { id } = await starts.start({ ...webhookStart, files: [kept] });
  expect(await binaries.findReadable(kept.id, id)).toMatchObject({ size: 3 });
  await sql`UPDATE binary_leftovers SET due_at = now()`.execute(database.db.kysely);
  const leftovers = await binaries.takeLeftovers(10);
  expect(new Map(leftovers.map(({ binaryId, referenced }) => [binaryId, referenced]))).toEqual(
    new Map([
      [kept.id, true],
      [lost.id, false],
    ]),
  );
});

test('several concurrent starts with the same key start one execution', async () => {
  const started = await Promise.all(Array.from({ length: 8 }, () => starts.start({ ...webhookStart, key: 'same' })));
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  expect(started.filter(({ repeated }) => !repeated)).toHaveLength(1);
});

test('a key does not start another execution after its execution is deleted', async () => {
  const { id } = await starts.start({ ...webhookStart, key: 'gone' });
  await database.db.kysely.deleteFrom('executions').where('id', '=', id).execute();
  await expect(starts.start({ ...webhookStart, key: 'gone' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_EXECUTION_DELETED',
  });
});

test('only the first response of the running attempt counts', async () => {
  const { id: executionId } = await starts.start(webhookStart);
  const responses = new WebhookResponseRepository(database.db);
  const response = (text: string) => JSON.stringify({ status: 200, headers: {}, body: { kind: 'text', text } });
  expect(await responses.store({ executionId, attempt: 1 }, response('not claimed yet'))).toBe(false);
  await sql`UPDATE executions SET status = 'running', started_at = now() WHERE id = ${executionId}`.execute(database.db.kysely);
  expect(await responses.store({ executionId, attempt: 2 }, response('another attempt'))).toBe(false);
  expect(await responses.store({ executionId, attempt: 1 }, response('first'))).toBe(true);
  expect(await responses.store({ executionId, attempt: 1 }, response('second'))).toBe(false);
  const progress = await responses.read(executionId, { lastRun: true });
  expect(progress).toMatchObject({ status: 'running', response: { body: { text: 'first' } }, lastRun: undefined });
});

test('each slot has its own response', async () => {
  const { id: executionId } = await starts.start(webhookStart);
  const responses = new WebhookResponseRepository(database.db);
  const give = (slot: number, text: string) => {
    const json = JSON.stringify({ status: 200, headers: {}, body: { kind: 'text', text } });
    return responses.store({ executionId, attempt: 1 }, json, slot);
  };
  await sql`UPDATE executions SET status = 'running', started_at = now() WHERE id = ${executionId}`.execute(database.db.kysely);
  expect(await give(0, 'to the first')).toBe(true);
  expect(await responses.read(executionId, { lastRun: false, slot: 2 })).toMatchObject({ response: undefined });
  expect(await give(2, 'to the second')).toBe(true);
  expect(await give(2, 'once more')).toBe(false);
  expect(await responses.read(executionId, { lastRun: false, slot: 2 })).toMatchObject({
    response: { body: { text: 'to the second' } },
  });
  expect(await responses.read(executionId, { lastRun: false })).toMatchObject({ response: { body: { text: 'to the first' } } });
});

test('a start through a cached route succeeds only while the route belongs to the same activation', async () => {
  const { db } = database;
  const workflow = await anActiveWorkflow(db);
  const webhook = { nodeName: 'Webhook', spec: { ...aWebhookSpec, path: randomId() }, nextAt: null };
  const activate = () => db.kysely.transaction().execute((tx) => replaceTriggers(tx, workflow.workflowId, [webhook]));
  const find = async () => (await new WebhookRouteRepository(db).find([webhook.spec.path]))[0];
  const startAt = (route: Awaited<ReturnType<typeof find>>) => starts.startAt(route?.id ?? '', { ...workflow, input: {} });
  await activate();
  const first = await find();
  expect(await startAt(first)).toMatchObject({ repeated: false });
  await activate();
  const second = await find();
  expect(await startAt(first)).toBeUndefined();
  expect(await startAt(second)).toMatchObject({ repeated: false });
  await db.kysely.updateTable('workflows').set({ active: false }).where('id', '=', workflow.workflowId).execute();
  expect(await startAt(second)).toBeUndefined();
  const rows = await db.kysely.selectFrom('executions').select('id').where('workflow_id', '=', workflow.workflowId).execute();
  expect(rows).toHaveLength(2);
});

test('a request received before a new activation is a conflict if its node has another name, and not found if the workflow was deleted', async () => {
  const { db } = database;
  const { workflowId } = await anActiveWorkflow(db);
  const renamed = { nodeName: 'Renamed', spec: { ...aWebhookSpec, path: randomId() }, nextAt: null };
  await db.kysely.transaction().execute((tx) => replaceTriggers(tx, workflowId, [renamed]));
  const before = 'of the version before';
  await sql`INSERT INTO workflow_graphs SELECT (jsonb_populate_record(g, ${JSON.stringify({ hash: before })}::jsonb)).*
    FROM workflow_graphs g WHERE workflow_id = ${workflowId}`.execute(db.kysely);
  const late = { ...webhookStart, workflowId, graphHash: before };
  await expect(starts.start(late)).rejects.toMatchObject({ code: 'CONFLICT' });
  await db.kysely.deleteFrom('workflows').where('id', '=', workflowId).execute();
  await expect(starts.start(late)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.not.stringContaining(workflowId),
  });
});

test('a start waits for a deactivation in progress and then starts nothing; starts of other workflows do not wait', async () => {
  const [leaving, staying] = [await anActiveWorkflow(database.db), await anActiveWorkflow(database.db)];
  const ofWorkflow = ({ workflowId, graphHash }: typeof leaving) => starts.start({ ...webhookStart, workflowId, graphHash });
  const inProgress = await database.db.kysely.transaction().execute(async (tx) => {
    await sql`SELECT FROM workflows WHERE id = ${leaving.workflowId} FOR UPDATE`.execute(tx);
    const [late, concurrent] = [ofWorkflow(leaving), ofWorkflow(staying)];
    const ended = Promise.allSettled([late]);
    await concurrent;
    await eventually(async () => {
      const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(tx);
      expect(rows).not.toEqual([]);
    });
    await ofWorkflow(staying);
    await sql`UPDATE workflows SET active = false, active_version_id = NULL WHERE id = ${leaving.workflowId}`.execute(tx);
    return { ended };
  });
  expect(await inProgress.ended).toMatchObject([{ status: 'rejected', reason: { code: 'NOT_FOUND' } }]);
});

test.each([
  ['is saved', 'UPDATE workflows SET name = name', { status: 'fulfilled' }],
  ['is deleted', 'DELETE FROM workflows', { status: 'rejected', reason: { code: 'NOT_FOUND' } }],
])('a start of a workflow that %s waits for the transaction', async (_, change, expected) => {
  const { workflowId, graphHash } = await anActiveWorkflow(database.db);
  const inProgress = await database.db.kysely.transaction().execute(async (tx) => {
    await sql`SELECT FROM workflows WHERE id = ${workflowId} FOR UPDATE`.execute(tx);
    const ended = Promise.allSettled([starts.start({ ...webhookStart, workflowId, graphHash })]);
    await eventually(async () => {
      const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(tx);
      expect(rows).not.toEqual([]);
    });
    await sql`${sql.raw(change)} WHERE id = ${workflowId}`.execute(tx);
    return { ended };
  });
  expect(await inProgress.ended).toMatchObject([expected]);
});
