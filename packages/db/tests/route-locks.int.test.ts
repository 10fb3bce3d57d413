import { afterAll, describe, expect, test } from '@jest/globals';
import { type Database, type Tables, TestUrlRepository, UserRepository } from '@sluice/db';
import { isAppError, randomId } from '@sluice/domain';
import { eventually, testDatabase } from '@sluice/test-support';
import { type KyselyPlugin, sql, type Transaction } from 'kysely';
import { lockPatterns } from '../src/triggers/new-routes.ts';
import { replaceTriggers } from '../src/triggers/trigger-repository.ts';
import { anActiveWorkflow, aWebhookSpec, type StoredWorkflow } from './a-workflow.ts';

const database = await testDatabase();
const userId = (await new UserRepository(database.db.kysely).create({ email: 'owner@example.com', role: 'owner' })).id;
afterAll(() => database.drop());

const aTrigger = (path: string) => ({ nodeName: 'Webhook', spec: { ...aWebhookSpec, path }, nextAt: null });

/**
 * Disables retries, so that a deadlock, which Postgres resolves with a rollback, fails the test.
 */
function activate({ workflowId }: StoredWorkflow, paths: readonly string[], tx?: Transaction<Tables>): Promise<void> {
  const write = (within: Transaction<Tables>) => replaceTriggers(within, workflowId, paths.map(aTrigger));
  return tx ? write(tx) : database.db.kysely.transaction().execute(write);
}

function openTestUrls(
  { workflowId, graphHash }: StoredWorkflow,
  paths: readonly string[],
  tx?: Transaction<Tables>,
): Promise<unknown> {
  const db = tx ? ({ kysely: tx } as unknown as Database) : database.db;
  return new TestUrlRepository(db).open({ workflowId, graphHash, userId, triggers: paths.map(aTrigger) });
}

async function someoneWaitsForALock(): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database()`.execute(database.db.kysely);
  return rows.length > 0;
}

describe.each([
  ['an activation', activate, 'triggers'],
  ['opening test URLs', openTestUrls, 'test_routes'],
] as const)('%s waits for other changes before it writes or deletes anything', (_, write, table) => {
  test.each(['releases', 'acquires'])('to the path that it %s', async (which) => {
    const { kysely } = database.db;
    const workflow = await anActiveWorkflow(database.db);
    const [before, after] = [randomId(), randomId()];
    await write(workflow, [before]);
    let writing: Promise<unknown> = Promise.resolve();
    await kysely.transaction().execute(async (tx) => {
      await lockPatterns(tx, [{ pattern: which === 'releases' ? before : after }]);
      writing = write(workflow, [after]);
      await eventually(someoneWaitsForALock);
      const rows = tx.selectFrom(table).select('spec').where('workflow_id', '=', workflow.workflowId);
      expect(await rows.forUpdate().noWait().execute()).toMatchObject([{ spec: { path: before } }]);
    });
    await writing;
  });
});

test('activations that exchange paths are serialized without a rollback', async () => {
  const workflows = await Promise.all(Array.from({ length: 3 }, () => anActiveWorkflow(database.db)));
  const [a, b] = [randomId(), randomId()];
  const sets = [[a], [b], [b, a], []];
  for (let round = 0; round < 24; round += 1) {
    const turns = workflows.map((workflow, i) => activate(workflow, sets[(round + i * 3) % sets.length] ?? []));
    const refusals = (await Promise.allSettled(turns)).flatMap((turn) => (turn.status === 'rejected' ? [turn.reason] : []));
    for (const refusal of refusals) expect(isAppError(refusal) ? refusal.code : refusal).toBe('WEBHOOK_PATH_TAKEN');
  }
});

test.each([
  ['an activation', activate],
  ['opening test URLs', openTestUrls],
] as const)('%s of a thousand paths takes a few statements, and its paths share locks', async (_, write) => {
  const workflow = await anActiveWorkflow(database.db);
  const paths = Array.from({ length: 1_000 }, (_, index) => `${randomId()}/:id/${index}`);
  let statements = 0;
  const transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    statements += 1;
    return node;
  };
  const counting = database.db.kysely.withPlugin({ transformQuery, transformResult: async ({ result }) => result });
  const locks = await counting.transaction().execute(async (tx) => {
    await write(workflow, paths, tx);
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM pg_locks
      WHERE locktype = 'advisory' AND pid = pg_backend_pid()`.execute(tx);
    return rows[0]?.count ?? 0;
  });
  expect(statements).toBeLessThan(15);
  expect(locks).toBeGreaterThan(200);
  expect(locks).toBeLessThan(260);
});

describe('the error for many paths names the first path that is taken', () => {
  const of = (workflow: StoredWorkflow, ...paths: string[]) => activate(workflow, paths);

  test.each([
    ['by the same node', ['a', 'b', 'b', 'c'], 'b'],
    ['by another workflow', ['a/c', 'b/:id/x', 'c'], 'b/:/x'],
    ['by a path without parameters', ['a', 'b/new/:id', 'b/new/x'], 'b/new/:'],
  ])('%s', async (_, paths, takenPath) => {
    const root = randomId();
    const [workflow, other] = await Promise.all([anActiveWorkflow(database.db), anActiveWorkflow(database.db)]);
    await of(other, `${root}/b/new/x`, `${root}/b/:any/z`);
    const below = paths.map((path) => `${root}/${path}`);
    await expect(of(workflow, ...below)).rejects.toThrow(`the webhook POST ${root}/${takenPath} of node "Webhook" is taken`);
    await of(workflow, `${root}/b`, `${root}/b/:any/y`);
  });
});
