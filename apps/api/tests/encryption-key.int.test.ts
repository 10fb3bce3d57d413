import { afterAll, expect, test } from '@jest/globals';
import { toConfig } from '@sluice/config';
import { createLogger } from '@sluice/logger';
import { testDatabase, testRedisPrefix, testRedisUrl } from '@sluice/test-support';
import { startApi } from '../src/api.ts';
import { untilReady } from '../src/health/readiness.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const database = await testDatabase();
afterAll(() => database.drop());

const configOf = (masterKey: string | undefined) =>
  toConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: testRedisPrefix(),
    ENCRYPTION_KEY: masterKey,
  });

/** Starts an API, waits until it is ready or fails, and stops it. */
async function start(masterKey: string | undefined): Promise<void> {
  const api = await startApi(configOf(masterKey), { logger });
  try {
    await untilReady(api.context, new AbortController().signal);
  } finally {
    await api.stop();
  }
}

test('the API does not start without a master key, or with the master key of another database', async () => {
  await start('a-master-key-of-the-tests');
  await start('a-newer-master-key,a-master-key-of-the-tests');
  await expect(start('another-master-key-altogether')).rejects.toThrow(
    /ENCRYPTION_KEY \(or master\.key\) holds no key that opens/,
  );
  await expect(start(undefined)).rejects.toThrow(/ENCRYPTION_KEY is required/);
  await start('a-master-key-of-the-tests');
});
