import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingName } from '@sluice/config';
import { createDatabase, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { findFreePort } from '@sluice/embedded';
import { compileCache, testMasterKey } from '@sluice/test-support';
import { SmallDisk } from './disk.ts';
import { startStandby } from './failover.ts';
import { Gate } from './gate.ts';
import { ServerUnderTest } from './servers.ts';
import { type Environment, ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

const apiCount = 2;
const workerCount = 3;
/**
 * A dead worker is detected after this time, which is long enough for a live worker on a busy
 * machine.
 */
const leaseMs = 5_000;
const readyTimeoutMs = 180_000;

/** Postgres and Redis behind gates, API and worker processes under supervisors. */
export interface Stack {
  /** Contains the logs. */
  home: string;
  /** URL of one of the API processes, and of links to the service. */
  publicUrl: string;
  apiKey: string;
  /** The primary. */
  postgres: ServerUnderTest;
  /** Starts a standby of the primary, for which commits then wait. */
  startStandby(): Promise<ServerUnderTest>;
  redis: ServerUnderTest;
  /**
   * The hosts in `DATABASE_URL`. The first gate leads to the primary, the second to its standby.
   */
  postgresGates: readonly [Gate, Gate];
  redisGate: Gate;
  /** Absent if it cannot be mounted. */
  disk: SmallDisk | undefined;
  apis: ServiceProcess[];
  workers: ServiceProcess[];
  /** Stops everything and keeps `home`. */
  stop(): Promise<void>;
}

export async function startStack(): Promise<Stack> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-chaos-'));
  const apiKey = `chaos-${randomBytes(16).toString('hex')}`;
  const disk = await SmallDisk.mount(join(home, 'disk'));
  let servers = 0;
  const nextPostgresPaths = (): [home: string, dataDir: string] => {
    servers += 1;
    const name = `postgres-${servers}`;
    return [join(home, name), join(disk?.path ?? join(home, name), `data-${servers}`)];
  };
  const [postgres, redis] = await Promise.all([
    ServerUnderTest.startPostgres(...nextPostgresPaths()),
    ServerUnderTest.startRedis(join(home, 'redis')),
  ]);
  await prepare(postgres.url, apiKey);
  const postgresGates = await Promise.all([Gate.start(postgres.socket), Gate.start()]);
  const redisGate = await Gate.start(redis.socket);
  const hosts = postgresGates.map(({ port }) => `127.0.0.1:${port}`);
  const { publicUrl, apis, workers } = await startProcesses(home, {
    BOOTSTRAP_API_KEY: apiKey,
    DATABASE_URL: `postgresql://sluice@${hosts}/sluice?target_session_attrs=read-write`,
    REDIS_URL: `redis://127.0.0.1:${redisGate.port}`,
    SLUICE_HOME: home,
  });
  const stack: Stack = {
    home,
    publicUrl,
    apiKey,
    postgres,
    startStandby: () => startStandby(stack.postgres, ...nextPostgresPaths()),
    redis,
    postgresGates,
    redisGate,
    disk,
    apis,
    workers,
    async stop() {
      await Promise.all([...apis, ...workers].map((process) => process.stop()));
      await Promise.all([...stack.postgresGates, redisGate].map((gate) => gate.stop()));
      await Promise.all([stack.postgres.stop(), redis.stop()]);
      await disk?.unmount();
    },
  };
  return stack;
}

async function prepare(databaseUrl: string, apiKey: string): Promise<void> {
  const db = createDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    await migrateToLatest(db);
    await ensureBootstrap(db.kysely, { bootstrapApiKey: apiKey });
  } finally {
    await db.close();
  }
}

async function startProcesses(home: string, settings: Settings): Promise<Pick<Stack, 'publicUrl' | 'apis' | 'workers'>> {
  const logs = join(home, 'logs');
  await mkdir(logs);
  const ports = await Promise.all(Array.from({ length: apiCount + workerCount }, () => findFreePort()));
  const publicUrl = `http://127.0.0.1:${ports[0]}`;
  const common = { ...sharedSettings, ...settings, PUBLIC_URL: publicUrl };
  const start = (command: 'api' | 'worker', number: number) => {
    const port = ports.pop() as number;
    const name = `${command}-${number}`;
    const env: Environment = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: compileCache,
      ...common,
      [command === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
    };
    return new ServiceProcess({ name, command, port, env, logFile: join(logs, `${name}.log`) });
  };
  const workers = Array.from({ length: workerCount }, (_, i) => start('worker', i));
  const apis = Array.from({ length: apiCount }, (_, i) => start('api', i));
  try {
    for (const process of [...apis, ...workers]) await until(() => process.isReady(), readyTimeoutMs);
  } catch (cause) {
    await Promise.all([...apis, ...workers].map((process) => process.stop()));
    throw new Error(`not all processes became ready; see ${logs}`, { cause });
  }
  return { publicUrl, apis, workers };
}

type Settings = Partial<Record<SettingName, string>>;

const sharedSettings: Settings = {
  ENCRYPTION_KEY: testMasterKey,
  LEASE_MS: String(leaseMs),
  RATE_LIMIT_MAX: '100000000',
  SSRF_ALLOW: '127.0.0.1',
  SHUTDOWN_GRACE_MS: '1000', // shorter than some executions
};
