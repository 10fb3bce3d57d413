import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import pg from 'pg';
import { queryDatabase } from '../e2e/support/database.ts';
import { ServerUnderTest } from './servers.ts';
import { until } from './until.ts';

/**
 * Files of a running Postgres that a copy must not contain; the copy receives the WAL by streaming.
 */
const notCopied = /^(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+|pg_dynshmem\/.+)$/;

/**
 * Starts a standby of a running Postgres from a copy of its data, and makes commits wait for it, so
 * that no confirmed commit is lost if the primary dies.
 */
export async function startStandby(primary: ServerUnderTest, home: string, dataDir: string): Promise<ServerUnderTest> {
  await setOption(primary.url, 'wal_keep_size', '128MB');
  await copyData(primary, dataDir);
  const connection = `host=${dirname(primary.socket)} user=sluice`;
  const settings = { primary_conninfo: connection, wal_retrieve_retry_interval: '200ms', synchronous_standby_names: '' };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(join(dataDir, 'postgresql.auto.conf'), lines.join(''));
  await writeFile(join(dataDir, 'standby.signal'), '');
  const standby = await ServerUnderTest.startPostgres(home, dataDir);
  await setOption(primary.url, 'synchronous_standby_names', '*');
  await until(async () => {
    const rows = await queryDatabase(primary.url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
    return rows.length > 0;
  });
  return standby;
}

/** Makes a standby the primary. */
export async function promote(standby: ServerUnderTest): Promise<void> {
  await queryDatabase(standby.url, 'SELECT pg_promote()');
}

async function copyData(primary: ServerUnderTest, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('chaos', true)`);
    const filter = (path: string) => !notCopied.test(relative(primary.dataDir, path).split(sep).join('/'));
    await rm(to, { recursive: true, force: true });
    await mkdir(dirname(to), { recursive: true });
    await cp(primary.dataDir, to, { recursive: true, filter, preserveTimestamps: true });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

async function setOption(url: string, name: string, value: string): Promise<void> {
  await queryDatabase(url, `ALTER SYSTEM SET ${name} = '${value}'`);
  await queryDatabase(url, 'SELECT pg_reload_conf()');
}
