import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { builtCommand, eventually, testMasterKey } from '@sluice/test-support';
import { migratedHome, type RunningService, type Settings, startService, startWorker } from './harness.ts';

const services: RunningService[] = [];
afterEach(async () => {
  for (const service of services.splice(0).reverse()) await service.dispose();
});

async function start(options: { home?: string; settings?: Settings } = {}): Promise<RunningService> {
  const service = await startService(options);
  services.push(service);
  return service;
}

test('`sluice up` stops cleanly although the reader of its output is gone', async () => {
  const home = await migratedHome();
  const port = String(await findFreePort());
  const settings = {
    SLUICE_HOME: home,
    PORT: port,
    ENCRYPTION_KEY: testMasterKey,
    BOOTSTRAP_API_KEY: 'a-key-of-20-characters',
  };
  const child = spawn(process.execPath, [builtCommand, 'up'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  await eventually(() => output.includes('Sluice is ready'));
  child.stdout.destroy();

  child.kill('SIGINT');

  expect(await exited).toEqual([0, null]);
  expect(readFileSync(join(home, 'logs', 'worker-1.log'), 'utf8')).toContain('worker stopped');
  rmSync(home, { recursive: true });
});

test('a worker that stores results after the grace period is not killed at once', async () => {
  const service = await start({ settings: { SHUTDOWN_GRACE_MS: '0' } });
  const worker = service.pidOf('worker-1');
  process.kill(worker, 'SIGSTOP');

  service.signal('SIGTERM');
  await sleep(4_000);
  process.kill(worker, 'SIGCONT');

  expect((await service.exited).code).toBe(0);
  expect(readFileSync(join(service.home, 'logs', 'worker-1.log'), 'utf8')).toContain('worker stopped');
});

test('a worker that starts alone has the memory options of one of `sluice up`', async () => {
  const service = await start();
  const lone = await startWorker({ DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl });
  const optionsOf = (pid: number) =>
    ['cmdline', 'environ'].map(
      (file) => /max-semi-space-size=\d+|MALLOC_ARENA_MAX=\d+/.exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[0],
    );

  const options = [lone.pid, service.pidOf('worker-1')].map(optionsOf);
  await lone.stop();

  expect(options).toEqual(Array(2).fill(['max-semi-space-size=8', 'MALLOC_ARENA_MAX=2']));
});
