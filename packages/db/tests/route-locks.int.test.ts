import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestUrlRepository, UserRepository } from '@sluice/db';
import { isAppError, randomId } from '@sluice/domain';
import { eventually, type TestDatabase, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { replaceTriggers } from '../src/triggers/trigger-repository.ts';
import { lockPatterns } from '../src/triggers/webhook-route-repository.ts';
import { anActiveWorkflow, aWebhookSpec, type StoredWorkflow } from './a-workflow.ts';

let database: TestDatabase;
let userId: string;

beforeAll(async () => {
  database = await testDatabase();
  userId = (await new UserRepository(database.db.kysely).create({ email: 'owner@example.com', role: 'owner' })).id;
});
afterAll(() => database.drop());

const aTrigger = (path: string) => ({ nodeName: 'Webhook', spec: { ...aWebhookSpec, path }, nextAt: null });

/** Without retries, so that a deadlock, which Postgres resolves by a rollback, fails the test. */
function activate({ workflowId }: StoredWorkflow, paths: readonly string[]): Promise<void> {
  return database.db.kysely.transaction().execute((tx) => replaceTriggers(tx, workflowId, paths.map(aTrigger)));
}

function openTestUrls({ workflowId, graphHash }: StoredWorkflow, paths: readonly string[]): Promise<unknown> {
  return new TestUrlRepository(database.db).open({ workflowId, graphHash, userId, triggers: paths.map(aTrigger) });
}

async function someoneWaitsForALock(): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database()`.execute(database.db.kysely);
  return rows.length > 0;
}

describe.each([
  ['an activation', activate, 'triggers'],
  ['opening test URLs', openTestUrls, 'test_routes'],
] as const)('%s waits for others before it writes or deletes anything', (_, write, table) => {
  test.each(['leaves', 'comes to'])('at the path that it %s', async (which) => {
    const { kysely } = database.db;
    const workflow = await anActiveWorkflow(database.db);
    const [before, after] = [randomId(), randomId()];
    await write(workflow, [before]);
    let writing: Promise<unknown> = Promise.resolve();
    await kysely.transaction().execute(async (tx) => {
      await lockPatterns(tx, [{ pattern: which === 'leaves' ? before : after }]);
      writing = write(workflow, [after]);
      await eventually(someoneWaitsForALock);
      const rows = tx.selectFrom(table).select('spec').where('workflow_id', '=', workflow.workflowId);
      expect(await rows.forUpdate().noWait().execute()).toMatchObject([{ spec: { path: before } }]);
    });
    await writing;
  });
});

test('activations that exchange paths are serialized, and Postgres rolls back none of them', async () => {
  const workflows = await Promise.all(Array.from({ length: 3 }, () => anActiveWorkflow(database.db)));
  const [a, b] = [randomId(), randomId()];
  const sets = [[a], [b], [b, a], []];
  for (let round = 0; round < 24; round += 1) {
    const turns = workflows.map((workflow, i) => activate(workflow, sets[(round + i * 3) % sets.length] ?? []));
    const refusals = (await Promise.allSettled(turns)).flatMap((turn) => (turn.status === 'rejected' ? [turn.reason] : []));
    for (const refusal of refusals) expect(isAppError(refusal) ? refusal.code : refusal).toBe('WEBHOOK_PATH_TAKEN');
  }
});
