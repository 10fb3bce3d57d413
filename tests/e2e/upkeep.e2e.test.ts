import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import {
  migratedHome,
  newHome,
  type RunningService,
  type Settings,
  startApi,
  startProcess,
  startService,
  startWorker,
} from './harness.ts';
import { startGuarded } from './support/basic-auth.ts';
import { stopIn } from './support/cleanup.ts';
import { own } from './support/command-line.ts';
import { queryDatabase } from './support/database.ts';
import { startOwnPostgres, startOwnRedis } from './support/own-servers.ts';
import { callerOf } from './support/runs.ts';

const stopAfterAll = stopIn(afterAll);
const guarded = stopAfterAll(await startGuarded());
const apiKey = 'a-key-of-the-upkeep-tests';
const common = { BOOTSTRAP_API_KEY: apiKey, SSRF_ALLOW: '127.0.0.1' };

async function start(home: string, settings: Settings): Promise<RunningService> {
  return startService({ home, settings: { ...common, PORT: String(await findFreePort()), ...settings } });
}

function removeAfterAll(home: string): string {
  stopAfterAll({ stop: () => rm(home, { recursive: true, force: true }) });
  return home;
}

test('backup and restore: a copy of the stopped home has all data of the embedded stores', async () => {
  const home = removeAfterAll(await migratedHome());
  const original = await start(home, { ENCRYPTION_KEY: '' });
  const workflowId = await guarded.prepare(original);
  expect(await guarded.statusOfRun(original, workflowId)).toBe('success');
  const { body: before } = await original.call('GET', '/executions?limit=10');
  await original.stop();
  const copy = join(removeAfterAll(await newHome()), 'copy');
  await cp(home, copy, { recursive: true, preserveTimestamps: true });
  await original.dispose();

  const restored = stopAfterAll(await start(copy, { ENCRYPTION_KEY: '' }));
  expect((await restored.call('GET', '/executions?limit=10')).body).toEqual(before);
  expect(await guarded.statusOfRun(restored, workflowId)).toBe('success');
  expect((await readFile(join(copy, 'master.key'), 'utf8')).trim()).toHaveLength(44);
});

test('key rotation: after the documented steps, the new key alone decrypts every credential', async () => {
  const home = removeAfterAll(await migratedHome());
  const [old, fresh] = ['the old passphrase of the upkeep test', 'the new passphrase of the upkeep test'];
  let workflowId: string | undefined;
  for (const ENCRYPTION_KEY of [old, `${old},${fresh}`, `${fresh},${old}`, fresh]) {
    const service = await start(home, { ENCRYPTION_KEY });
    try {
      workflowId ??= await guarded.prepare(service);
      expect([ENCRYPTION_KEY, await guarded.statusOfRun(service, workflowId)]).toEqual([ENCRYPTION_KEY, 'success']);
      if (ENCRYPTION_KEY === `${fresh},${old}`) {
        const rotated = await own(['keys', 'rotate-master', '--json'], { variables: { SLUICE_HOME: home, ENCRYPTION_KEY } });
        expect(JSON.parse(rotated.stdout)).toMatchObject({ rewrapped: 1, remaining: 0, unreadable: [] });
      }
    } finally {
      await service.stop();
    }
  }
  const lost = startProcess('up', '', { SLUICE_HOME: home, PORT: String(await findFreePort()), ENCRYPTION_KEY: old });
  expect([(await lost.exited).code, lost.output()]).toEqual([1, expect.stringContaining('holds no key that opens')]);
});

test('downgrade: a release runs executions on the schema of a newer release and logs a warning', async () => {
  const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis()]);
  stopAfterAll(postgres);
  stopAfterAll(redis);
  // A newer release only adds tables and columns, which this one ignores.
  await queryDatabase(postgres.url, "INSERT INTO kysely_migration (name, timestamp) VALUES ('20991231T0000-later', '')");
  await queryDatabase(postgres.url, 'ALTER TABLE executions ADD COLUMN added_later text');
  await queryDatabase(postgres.url, 'CREATE TABLE added_later (id text PRIMARY KEY)');
  const settings = { ...common, DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const api = stopAfterAll(await startApi(settings));
  const worker = stopAfterAll(await startWorker(settings));
  const caller = callerOf(api, apiKey);
  expect(await guarded.statusOfRun(caller, await guarded.prepare(caller))).toBe('success');
  for (const { output } of [api, worker]) expect(output()).toContain('"check":"database-newer"');
});
