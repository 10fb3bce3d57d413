import { afterAll, expect, test } from '@jest/globals';
import { createDatabase } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';

const database = await testDatabase();
const db = createDatabase({ url: database.url, poolSize: 2, silenceMs: 1_000 });
let frozen: number | undefined;
afterAll(async () => {
  if (frozen !== undefined) process.kill(frozen, 'SIGCONT');
  await db.close();
  await database.drop();
});

const pid = async () => {
  const [row] = await db.query<{ pid: number }>({ name: 'pid', text: 'SELECT pg_backend_pid() AS pid', values: [] });
  return row?.pid as number;
};

test('a connection that does not respond, although others do, is replaced', async () => {
  const first = await pid();
  process.kill(first, 'SIGSTOP'); // as a firewall that has dropped this connection
  frozen = first;
  await expect(pid()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(db.up).toBe(true);
  expect(await pid()).not.toBe(first);
});

test('a statement that takes long is not interrupted', async () => {
  const slow = createDatabase({ url: database.url, poolSize: 2, silenceMs: 10_000 });
  const text = 'SELECT pg_sleep(2) IS NOT NULL AS done';
  expect(await slow.query({ name: 'sleep', text, values: [] })).toEqual([{ done: true }]);
  await slow.close();
});
