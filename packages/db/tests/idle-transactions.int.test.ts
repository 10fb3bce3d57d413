import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { aStoredWorkflow } from './a-workflow.ts';

const database = await testDatabase();
const frozen = createDatabase({ url: database.url, statementTimeoutMs: 500 });
afterAll(async () => {
  await frozen.close();
  await database.drop();
});

test('a process that freezes within a transaction loses its locks, then its transaction', async () => {
  const { workflowId } = await aStoredWorkflow(database.db);
  const rename = (name: string, { kysely }: Pick<Database, 'kysely'> = database.db) =>
    kysely.updateTable('workflows').set({ name }).where('id', '=', workflowId).execute();
  const [locked, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const interrupted = frozen.kysely.transaction().execute(async (tx) => {
    await rename('first', { kysely: tx });
    locked.resolve();
    await continued.promise;
    await rename('too late', { kysely: tx });
  });
  interrupted.catch(() => undefined);
  await locked.promise;
  await rename('second').finally(() => continued.resolve());
  await expect(interrupted).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const row = database.db.kysely.selectFrom('workflows').select('name').where('id', '=', workflowId);
  expect(await row.execute()).toEqual([{ name: 'second' }]);
  expect(await frozen.kysely.selectFrom('workflows').select('id').execute()).toHaveLength(1);
});
