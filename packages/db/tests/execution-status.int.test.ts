import { afterAll, describe, expect, test } from '@jest/globals';
import { canMove, type ExecutionStatus, executionStatuses, isTerminal } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { anExecution, aStoredWorkflow, startExecutions } from './a-workflow.ts';

const database = await testDatabase();
const db = database.db;
const id = (await startExecutions(db, [anExecution(await aStoredWorkflow(db))]))[0] as string;
afterAll(() => database.drop());

/** Sets the status of the row without the trigger, in a transaction that is rolled back. */
async function tryMove(from: ExecutionStatus, to: string): Promise<'moved' | 'refused'> {
  const undo = new Error('undo');
  const stopped = (status: string) => (executionStatuses.some((s) => s === status && isTerminal(s)) ? sql`now()` : sql`NULL`);
  const moved = db.kysely.transaction().execute(async (tx) => {
    await sql`ALTER TABLE executions DISABLE TRIGGER executions_status_moves`.execute(tx);
    await sql`UPDATE executions SET status = ${from}, stopped_at = ${stopped(from)} WHERE id = ${id}`.execute(tx);
    await sql`ALTER TABLE executions ENABLE TRIGGER executions_status_moves`.execute(tx);
    await sql`UPDATE executions SET status = ${to}, stopped_at = ${stopped(to)} WHERE id = ${id}`.execute(tx);
    throw undo;
  });
  return moved.then(
    () => 'moved',
    (error: unknown) => (error === undo ? 'moved' : 'refused'),
  );
}

describe('the database agrees with the table of transitions', () => {
  test.each(executionStatuses)('from %s, exactly the transitions of the table are allowed', async (from) => {
    for (const to of executionStatuses) {
      expect([to, await tryMove(from, to)]).toEqual([to, to === from || canMove(from, to) ? 'moved' : 'refused']);
    }
  });

  test.each(['queued', 'SUCCESS', ''])('"%s" cannot be stored', async (status) => {
    expect(await tryMove('new', status)).toBe('refused');
  });

  test('an execution has `stopped_at` if and only if its status is terminal', async () => {
    await expect(sql`UPDATE executions SET status = 'canceled' WHERE id = ${id}`.execute(db.kysely)).rejects.toThrow('check');
    await expect(sql`UPDATE executions SET stopped_at = now() WHERE id = ${id}`.execute(db.kysely)).rejects.toThrow('check');
  });
});
