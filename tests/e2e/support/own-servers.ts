import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { type EmbeddedService, makeRuntimeDirectory, type ServiceOptions, startPostgres, startRedis } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import { eventually } from '@sluice/test-support';
import pg from 'pg';
import { copyMigratedPostgres } from './migrated-home.ts';

/** `freeze`: SIGSTOP; connections stay open without replies. `kill`: SIGKILL; connections break. */
type Outage = 'freeze' | 'kill';

/** A Postgres or a Redis that a test can make unreachable. Its address never changes. */
export interface OwnServer {
  readonly url: string;
  takeDown(outage: Outage): Promise<void>;
  /** Safe to repeat, and to call without an outage. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** A migrated Postgres that keeps committed data when it is killed. */
export async function startOwnPostgres(): Promise<OwnServer> {
  const server = await startOwn({
    launch: startPostgres,
    prepare: copyMigratedPostgres,
    pidFile: 'postmaster.pid',
    durable: true,
    freeze: freezePostgres,
  });
  const database = createDatabase({ url: server.url, poolSize: 1 });
  await migrateToLatest(database).finally(() => database.close());
  return server;
}

/** A Redis that loses all data when it is killed. */
export function startOwnRedis(): Promise<OwnServer> {
  return startOwn({ launch: startRedis, pidFile: 'redis.pid', durable: false, freeze: async (pid) => [freezeProcess(pid)] });
}

interface Kind {
  launch(options: ServiceOptions): Promise<EmbeddedService>;
  /** Called once, before the data directory exists. */
  prepare?(dataDir: string): Promise<void>;
  /** Relative to the data directory. */
  pidFile: string;
  durable: boolean;
  /** Resolves to the PIDs of the frozen processes. */
  freeze(pid: number, url: string): Promise<number[]>;
}

async function startOwn({ launch, prepare, pidFile, durable, freeze }: Kind): Promise<OwnServer> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-e2e-server-'));
  const runtimeDir = await makeRuntimeDirectory(home);
  const dataDir = join(home, 'data');
  const logger = createLogger({ name: 'test', level: 'silent' });
  await prepare?.(dataDir);
  const start = () => launch({ dataDir, runtimeDir, logFile: join(home, 'log'), durable, logger });
  const { url, ...first } = await start();
  let service: Omit<EmbeddedService, 'url'> | undefined = first;
  let stopped: number[] = [];
  const restore = async () => {
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
    service ??= await eventually(start); // Postgres waits for the last of its old processes
  };
  return {
    url,
    restore,
    async takeDown(outage) {
      const pid = Number.parseInt(readFileSync(join(dataDir, pidFile), 'utf8'), 10);
      if (outage === 'freeze') {
        stopped = await freeze(pid, url);
        return;
      }
      process.kill(pid, 'SIGKILL');
      await service?.exited;
      service = undefined;
    },
    async stop() {
      await restore();
      await service?.stop();
      await rm(runtimeDir, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * Freezes the postmaster first, so that it cannot fork a process after the others have been listed.
 */
async function freezePostgres(postmaster: number, url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const pids = [freezeProcess(postmaster)];
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
  pids.push(...rows.map(({ pid }) => freezeProcess(pid)));
  void client.end(); // its own backend is frozen too, and closes once it continues
  return pids;
}

function freezeProcess(pid: number): number {
  process.kill(pid, 'SIGSTOP');
  return pid;
}
