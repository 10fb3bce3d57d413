import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { BinaryRepository } from '../src/executions/binary-repository.ts';
import { WebhookAnswers } from '../src/executions/webhook-answers.ts';
import { type WebhookStart, WebhookStarts } from '../src/executions/webhook-starts.ts';
import { aStoredWorkflow } from './a-workflow.ts';

let database: TestDatabase;
let starts: WebhookStarts;
let call: WebhookStart;

beforeAll(async () => {
  database = await testDatabase();
  starts = new WebhookStarts(database.db);
  const { workflowId, graphHash } = await aStoredWorkflow(database.db);
  call = { workflowId, graphHash: graphHash as string, nodeName: 'Webhook', input: {}, files: [], key: undefined };
});
afterAll(() => database.drop());

const aFile = () => ({ id: randomId(), fileName: null, mimeType: 'text/plain', size: 3 });

test('a file that was announced is held by the execution that it came with, or is left over', async () => {
  const [kept, lost] = [aFile(), aFile()];
  for (const { id } of [kept, lost]) await starts.announce(id);
  const binaries = new BinaryRepository(database.db.kysely);
  expect(await binaries.takeLeftovers(10)).toEqual([]);
  const { id } = await starts.start({ ...call, files: [kept] });
  expect(await binaries.findReadable(kept.id, id)).toMatchObject({ size: 3 });
  await sql`UPDATE binary_leftovers SET due_at = now()`.execute(database.db.kysely);
  const leftovers = await binaries.takeLeftovers(10);
  expect(new Map(leftovers.map(({ binaryId, held }) => [binaryId, held]))).toEqual(
    new Map([
      [kept.id, true],
      [lost.id, false],
    ]),
  );
});

test('of starts with one key at the same time, one counts', async () => {
  const started = await Promise.all(Array.from({ length: 8 }, () => starts.start({ ...call, key: 'same' })));
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  expect(started.filter(({ repeated }) => !repeated)).toHaveLength(1);
});

test('what a key has started is not started again once it is deleted', async () => {
  const { id } = await starts.start({ ...call, key: 'gone' });
  await database.db.kysely.deleteFrom('executions').where('id', '=', id).execute();
  await expect(starts.start({ ...call, key: 'gone' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_EXECUTION_DELETED' });
});

test('the first answer of the running attempt counts, and no other', async () => {
  const { id: executionId } = await starts.start(call);
  const answers = new WebhookAnswers(database.db);
  const answer = (text: string) => JSON.stringify({ status: 200, headers: {}, body: { kind: 'text', text } });
  expect(await answers.give({ executionId, attempt: 1 }, answer('not claimed yet'))).toBe(false);
  await sql`UPDATE executions SET status = 'running', started_at = now() WHERE id = ${executionId}`.execute(database.db.kysely);
  expect(await answers.give({ executionId, attempt: 2 }, answer('another attempt'))).toBe(false);
  expect(await answers.give({ executionId, attempt: 1 }, answer('first'))).toBe(true);
  expect(await answers.give({ executionId, attempt: 1 }, answer('second'))).toBe(false);
  const read = await answers.read(executionId, { lastRun: true });
  expect(read).toMatchObject({ status: 'running', answer: { body: { text: 'first' } }, lastRun: undefined });
});
