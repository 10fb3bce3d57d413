import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRuntimeDirectory, startPostgres, startRedis } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import { stopOnSignal } from './children.ts';

/** Embedded Postgres and Redis with the settings of `sluice up`, in an empty home folder. */
export interface Stack {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

export async function startStack(): Promise<Stack> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const runtimeDir = await makeRuntimeDirectory(home);
  const logger = createLogger({ name: 'bench', level: 'warn' });
  const options = (name: string) => ({ dataDir: join(home, name), runtimeDir, logFile: join(home, `${name}.log`), logger });
  const starting = Promise.all([startPostgres(options('postgres')), startRedis(options('redis'))]);
  const stop = async () => {
    const [postgres, redis] = await starting;
    await Promise.all([postgres.stop(), redis.stop()]);
    await Promise.all([home, runtimeDir].map((path) => rm(path, { recursive: true, force: true })));
    removeHandlers();
  };
  const removeHandlers = stopOnSignal(stop);
  const [postgres, redis] = await starting;
  return { databaseUrl: postgres.url, redisUrl: redis.url, stop };
}
