import { afterAll, expect, test } from '@jest/globals';
import { testDatabase } from '@sluice/test-support';
import { Readiness } from '../src/health/readiness.ts';

const database = await testDatabase();
afterAll(() => database.drop());

test('concurrent readiness checks share one database connection', async () => {
  let pings = 0;
  const db = {
    ...database.db,
    ping() {
      pings += 1;
      return database.db.ping();
    },
  };
  const readiness = new Readiness({ db, redisWatch: { up: true }, prepare: async () => undefined });
  await readiness.assertReady();
  await Promise.all(Array.from({ length: 50 }, () => readiness.assertReady()));
  expect(pings).toBe(1);
  await readiness.assertReady();
  expect(pings).toBe(2);
});
