import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresBinaries, type Launcher, runCommand } from '@sluice/embedded';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { launched, runServer, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

/** A Postgres on TCP, with the superuser `ann` and an empty database `postgres`. */
export interface PostgresServer extends TestServer {
  url: string;
  dataDir: string;
}

interface PostgresServerOptions {
  /** `-c` settings. */
  settings?: Record<string, string>;
  /** Certificate and key as PEM; the server then accepts only TLS connections. */
  tls?: { cert: string; key: string };
  /** Default: the embedded Postgres, which has no `pg_dump`. */
  programs?: PostgresPrograms;
}

/** Postgres programs from Debian packages. */
interface PostgresPrograms {
  initdb: string;
  postgres: string;
  pgDump: string;
  pgRestore: string;
  /** Environment variables that the programs need to find their libraries. */
  env: Record<string, string>;
}

/** Postgres 15, the oldest supported version, with the programs for backups. */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const bin = 'usr/lib/postgresql/15/bin';
  const names = ['initdb', 'postgres', 'pg_dump', 'pg_restore'].map((name) => `${bin}/${name}`);
  const files = await serverFiles('postgresql-15', ['postgresql-15'], names);
  const [initdb = '', postgres = '', pgDump = '', pgRestore = ''] = await Promise.all(names.map((name) => files.find(name)));
  return { initdb, postgres, pgDump, pgRestore, env: files.env };
}

const fast = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
/** `ann` without a password from this machine, also for replication. */
const access = (kind: 'host' | 'hostssl') => `${kind} all,replication ann 127.0.0.1/32 trust\n`;

export async function startPostgresServer({
  settings = {},
  tls,
  programs,
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { initdb } = programs ?? (await findPostgresBinaries());
  return run(settings, programs, async (launcher, dataDir) => {
    await runAs(launcher, initdb, ['-D', dataDir, '-U', 'ann', '--encoding=UTF8', '--locale=C', '--no-sync']);
    await writeFile(join(dataDir, 'pg_hba.conf'), access(tls ? 'hostssl' : 'host'));
    if (!tls) return;
    for (const [name, text] of [['server.crt', tls.cert] as const, ['server.key', tls.key] as const]) {
      await writeFile(join(dataDir, name), text, { mode: 0o600 });
    }
    await appendFile(join(dataDir, 'postgresql.conf'), 'ssl = on\n');
  });
}

/** A hot standby that follows `primary` by streaming. */
export async function startStandby(primary: PostgresServer, settings: Record<string, string> = {}): Promise<PostgresServer> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    return await run(settings, undefined, async (launcher, dataDir) => {
      await client.query(`SELECT pg_backup_start('standby', true)`);
      await runAs(launcher, '/bin/cp', ['-a', primary.dataDir, dataDir]);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
      await rm(join(dataDir, 'postmaster.pid'), { force: true });
      await writeFile(join(dataDir, 'backup_label'), rows[0]?.labelfile ?? '');
      await writeFile(join(dataDir, 'standby.signal'), '');
      const source = `host=${primary.host} port=${primary.port} user=ann application_name=standby`;
      await appendFile(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    });
  } finally {
    await client.end();
  }
}

async function run(
  settings: Record<string, string>,
  programs: PostgresPrograms | undefined,
  prepare: (launcher: Launcher, dataDir: string) => Promise<void>,
): Promise<PostgresServer> {
  const { postgres } = programs ?? (await findPostgresBinaries());
  let dataDir = '';
  const server = await runServer('postgres', async ({ home, port, launcher }) => {
    dataDir = join(home, 'data');
    await launcher.own(home);
    await prepare(launcher, dataDir);
    const flags = Object.entries({
      ...fast,
      ...settings,
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    });
    return {
      file: postgres,
      args: ['-D', dataDir, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      env: programs?.env ?? {},
    };
  });
  const url = `postgres://ann@127.0.0.1:${server.port}/postgres`;
  await eventually(() => isReady(dataDir));
  return { ...server, dataDir, url };
}

/** Whether the server accepts clients; a standby accepts reads. */
async function isReady(dataDir: string): Promise<boolean> {
  return /^(ready|standby)\s*$/m.test(await readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
}

async function runAs(launcher: Launcher, program: string, parameters: readonly string[]): Promise<void> {
  const { file, args } = launched(launcher, { file: program, args: parameters });
  await runCommand(file, args, { uid: launcher.uid, gid: launcher.gid });
}
