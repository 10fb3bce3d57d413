import { afterAll, expect, test } from '@jest/globals';
import { testDatabase } from '@sluice/test-support';
import { Readiness } from '../src/health/readiness.ts';

const database = await testDatabase();
afterAll(() => database.drop());

test('concurrent readiness checks share one database connection', async () => {
  let checks = 0;
  const db = {
    ...database.db,
    assertWritable() {
      checks += 1;
      return database.db.assertWritable();
    },
  };
  const readiness = new Readiness({ db, redisWatch: { problem: undefined }, prepare: async () => undefined });
  await readiness.assertReady();
  await Promise.all(Array.from({ length: 50 }, () => readiness.assertReady()));
  expect(checks).toBe(1);
  await readiness.assertReady();
  expect(checks).toBe(2);
});
