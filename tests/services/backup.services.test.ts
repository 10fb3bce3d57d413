import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { runCommand } from '@sluice/embedded';
import { eventually } from '@sluice/test-support';
import { findPostgresPrograms, serverOrSkip, startPostgresServer } from '@sluice/test-support/servers';
import { type Settings, startApi, startWorker } from '../e2e/harness.ts';
import { startGuarded } from '../e2e/support/basic-auth.ts';
import { stopIn } from '../e2e/support/cleanup.ts';
import { queryDatabase } from '../e2e/support/database.ts';
import { startOwnRedis } from '../e2e/support/own-servers.ts';
import { callerOf } from '../e2e/support/runs.ts';

const stopAfterAll = stopIn(afterAll);
const programs = await serverOrSkip('pg_dump', findPostgresPrograms);
const withPrograms = programs ? test : test.skip;
const key = 'a-key-of-the-backup-tests';

withPrograms(
  'restoring a dump over a later state brings back workflows, credentials, and executions, and new runs work',
  async () => {
    if (!programs) return;
    const postgres = await startPostgresServer({ programs });
    stopAfterAll({ stop: () => postgres.close() });
    await migrate(postgres.url);
    const guarded = stopAfterAll(await startGuarded());
    const folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'));
    stopAfterAll({ stop: () => rm(folder, { recursive: true }) });
    const dump = join(folder, 'sluice.dump');

    const first = await aFleet(postgres.url);
    const workflowId = await guarded.prepare(first.caller);
    expect(await guarded.statusOfRun(first.caller, workflowId)).toBe('success');
    const { body: before } = await first.caller.call('GET', '/executions?limit=10');
    await runCommand(programs.pgDump, ['-Fc', '-f', dump, postgres.url], { env: programs.env });
    expect(await guarded.statusOfRun(first.caller, workflowId)).toBe('success'); // not in the dump
    await first.caller.call('DELETE', `/workflows/${workflowId}`);
    await first.stop();

    const flags = ['--clean', '--if-exists', '--single-transaction', '-d', postgres.url, dump];
    await runCommand(programs.pgRestore, flags, { env: programs.env });
    const second = stopAfterAll(await aFleet(postgres.url)); // its Redis is empty
    expect((await second.caller.call('GET', '/executions?limit=10')).body).toEqual(before);
    await eventually(async () => (await guarded.statusOfRun(second.caller, workflowId)) === 'success');
  },
);

withPrograms('the documented commands restore a dump over the database of a newer release', async () => {
  if (!programs) return;
  const postgres = await startPostgresServer({ programs });
  stopAfterAll({ stop: () => postgres.close() });
  await appendFile(join(postgres.dataDir, 'pg_hba.conf'), 'host sluice sluice 127.0.0.1/32 trust\n');
  // As in compose: the role owns its database and is no superuser.
  for (const statement of ['SELECT pg_reload_conf()', 'CREATE ROLE sluice LOGIN', 'CREATE DATABASE sluice OWNER sluice'])
    await queryDatabase(postgres.url, statement);
  const url = `postgres://sluice@127.0.0.1:${postgres.port}/sluice`;
  await migrate(url);
  const folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'));
  stopAfterAll({ stop: () => rm(folder, { recursive: true }) });
  const dump = join(folder, 'sluice.dump');
  await runCommand(programs.pgDump, ['-Fc', '-f', dump, url], { env: programs.env });
  const later = 'CREATE TABLE added_later (workflow_id text REFERENCES workflows)';
  await queryDatabase(url, later);

  for (const statement of await documentedStatements()) await queryDatabase(url, statement);
  const flags = ['--clean', '--if-exists', '--single-transaction', '-d', url, dump];
  await runCommand(programs.pgRestore, flags, { env: programs.env });

  expect(await migrate(url)).toEqual([]);
  await queryDatabase(url, later); // the newer release can be started again
});

/** The statements that empty the database. */
async function documentedStatements(): Promise<string[]> {
  const text = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [command = ''] = /psql -U sluice -c .*/.exec(text) ?? [];
  return [...command.matchAll(/-c '([^']+)'/g)].map(([, statement]) => statement as string);
}

async function migrate(url: string): Promise<string[]> {
  const database = createDatabase({ url, poolSize: 2, statementTimeoutMs: 0 });
  return migrateToLatest(database).finally(() => database.close());
}

async function aFleet(databaseUrl: string) {
  const redis = await startOwnRedis();
  const settings: Settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    BOOTSTRAP_API_KEY: key,
    SSRF_ALLOW: '127.0.0.1',
  };
  const [api, worker] = await Promise.all([startApi(settings), startWorker(settings)]);
  const stop = async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await redis.stop();
  };
  return { caller: callerOf(api, key), stop };
}
