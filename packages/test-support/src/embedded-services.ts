import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRuntimeDirectory, startPostgres, startRedis } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import type { ServiceName, TestService } from './service-set.ts';

/** An embedded service in its own temporary directory, without syncing, for speed. */
export async function startEmbedded(name: ServiceName): Promise<TestService> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const runtimeDir = await makeRuntimeDirectory(home);
  const service = await { postgres: startPostgres, redis: startRedis }[name]({
    dataDir: join(home, 'data'),
    runtimeDir,
    logFile: join(home, 'log'),
    durable: false,
    logger: createLogger({ name: 'test-services', level: 'silent' }),
    onProgress: (step) => void process.stderr.write(`tests: ${step}\n`),
  });
  return {
    url: service.url,
    async stop() {
      await service.stop();
      await rm(runtimeDir, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}
