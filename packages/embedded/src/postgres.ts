import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { isAlive, programOf, readPidFile, worksIn } from './process-identity.ts';
import { runCommand } from './run-command.ts';
import { adoptServer, type ServerProcess, startServer } from './server-process.ts';
import type { EmbeddedService, ServiceOptions } from './service.ts';
import { type Launcher, unprivilegedLauncher } from './unprivileged.ts';

const user = 'sluice';
const database = 'sluice';
/** Postgres's fast shutdown: it ends sessions instead of waiting for them. */
const stopSignal = 'SIGINT';
/** Crash recovery reads the log since the last checkpoint, at most some 5 minutes of writes. */
const startTimeoutMs = 120_000;
const maxConnections = 300;
/**
 * Shared buffers: a quarter of the machine's memory, as the Postgres manual recommends ("Resource
 * Consumption"), up to the size that lists of a million executions need. Memory is allocated on
 * use.
 */
const sharedMb = { share: 0.25, least: 128, most: 512 };
/** Sorts by code point, supports Unicode letters, and is identical on every machine. */
const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Starts a Postgres on a unix socket, with its data in `dataDir`, or adopts an instance that a
 * killed process left running. Anyone who can enter `runtimeDir` is its superuser `sluice`: it has
 * no password.
 */
export async function startPostgres(options: ServiceOptions): Promise<EmbeddedService> {
  const url = urlOf(options);
  const server = (await adoptRunning(options)) ?? (await startNew(options));
  try {
    await untilReachable(options, server);
    await createDatabase(options);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url, exited: server.exited, stop: server.stop };
}

/**
 * URL of the Postgres that `startPostgres` started with these directories; `undefined` if it is not
 * running.
 */
export async function findPostgres(options: PostgresDirectories): Promise<string | undefined> {
  return (await runningPid(options)) === undefined ? undefined : urlOf(options);
}

type PostgresDirectories = Pick<ServiceOptions, 'dataDir' | 'runtimeDir'>;

function urlOf(directories: PostgresDirectories): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(socketDirectory(directories))}`;
}

/** A separate directory, which may belong to the user that Postgres runs as. */
function socketDirectory({ runtimeDir }: PostgresDirectories): string {
  return join(runtimeDir, 'postgres');
}

async function startNew(options: ServiceOptions): Promise<ServerProcess> {
  const { dataDir, logFile, durable = true } = options;
  const socketDir = socketDirectory(options);
  const binaries = await findPostgresBinaries();
  const launcher = await unprivilegedLauncher();
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  await launcher.own(socketDir);
  await makeCluster(options, binaries, launcher);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: String(maxConnections),
    ...(durable
      ? { shared_buffers: `${sharedBuffersMb()}MB` }
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [file = '', ...args] = [...launcher.prefix, binaries.postgres, '-D', dataDir, ...flags];
  const { uid, gid } = launcher;
  return startServer({ file, args, uid, gid, logFile, stopSignal, diesWithUs: !durable });
}

function sharedBuffersMb(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const { share, least, most } = sharedMb;
  return Math.min(most, Math.max(least, Math.floor((share * memory) / 2 ** 20)));
}

/**
 * Creates the cluster next to its final place and moves it there when complete, so that an
 * interrupted start leaves no incomplete cluster.
 */
async function makeCluster(options: ServiceOptions, binaries: PostgresBinaries, launcher: Launcher): Promise<void> {
  const { dataDir, durable = true, onProgress } = options;
  const parent = dirname(dataDir);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (await exists(dataDir, 'PG_VERSION')) return;
  onProgress?.('creating the database');
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await launcher.own(unfinished);
  const flags = ['--auth-local=trust', '--auth-host=reject', '--encoding=UTF8', ...locale];
  if (!durable) flags.push('--no-sync');
  const [file = '', ...args] = [...launcher.prefix, binaries.initdb, '-D', unfinished, '-U', user, ...flags];
  await runCommand(file, args, { uid: launcher.uid, gid: launcher.gid });
  await rename(unfinished, dataDir);
}

async function exists(directory: string, name: string): Promise<boolean> {
  try {
    return (await readdir(directory)).includes(name);
  } catch {
    return false;
  }
}

/**
 * The running server named in `postmaster.pid`. A stale pid file is removed, because Postgres would
 * refuse to start. It is stale if its process has ended, or if the pid now belongs to another
 * program or another Postgres after a restart of the machine or container.
 */
async function adoptRunning(options: ServiceOptions): Promise<ServerProcess | undefined> {
  const pid = await runningPid(options);
  if (pid !== undefined) {
    options.logger.info({ serverPid: pid }, 'adopting the Postgres of an earlier process');
    return adoptServer(pid, stopSignal);
  }
  await rm(pidFileOf(options), { force: true });
  return undefined;
}

async function runningPid(directories: PostgresDirectories): Promise<number | undefined> {
  const pid = await readPidFile(pidFileOf(directories));
  if (pid === undefined || !isAlive(pid) || !(await worksIn(pid, directories.dataDir))) return undefined;
  return basename((await programOf(pid)) ?? '').startsWith('postgres') ? pid : undefined;
}

function pidFileOf({ dataDir }: PostgresDirectories): string {
  return join(dataDir, 'postmaster.pid');
}

/** Waits for startup and recovery. Throws if the server exits or does not respond in time. */
async function untilReachable(options: ServiceOptions, server: ServerProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await withClient(options, 'postgres', async () => undefined);
    } catch (cause) {
      if (!isAlive(server.pid) || performance.now() > deadline) throw await startError(options, cause);
    }
    options.signal?.throwIfAborted();
    if (tries === 40) options.onProgress?.('waiting for the database to recover');
    await delay(25);
  }
}

/**
 * Reports data of another major version, the most likely reason after an upgrade or a downgrade.
 */
async function startError({ dataDir, logFile }: ServiceOptions, cause: unknown): Promise<Error> {
  const { postgres } = await findPostgresBinaries();
  const [, ours] = /(\d+)/.exec(await runCommand(postgres, ['--version'])) ?? [];
  const theirs = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => ours))?.trim();
  if (theirs === ours) return new Error(`Postgres did not start; see ${logFile}`, { cause });
  const fix = 'restore a dump of it (`pg_dump`) in a new SLUICE_HOME, or set DATABASE_URL';
  return new Error(`${dataDir} has the data of Postgres ${theirs}, and this release starts Postgres ${ours}: ${fix}`, {
    cause,
  });
}

async function createDatabase(options: ServiceOptions): Promise<void> {
  await withClient(options, 'postgres', async (client) => {
    const matches = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (matches.rowCount === 0) await client.query(`create database ${database}`);
  });
}

async function withClient(options: ServiceOptions, name: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ host: socketDirectory(options), user, database: name, connectionTimeoutMillis: 5000 });
  client.on('error', (err) => options.logger.debug({ err }, 'lost the connection to Postgres'));
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
