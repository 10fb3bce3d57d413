import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { builtCommand, eventually, testMasterKey } from '@sluice/test-support';
import { migratedHome, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';

const stopAfterEach = stopIn(afterEach);

test('`sluice up` stops cleanly after the reader of its output has exited', async () => {
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

test('a worker that still stores results after the grace period is not killed immediately', async () => {
  const service = stopAfterEach(await startService({ settings: { SHUTDOWN_GRACE_MS: '0' } }));
  const worker = service.pidOf('worker-1');
  process.kill(worker, 'SIGSTOP');

  service.signal('SIGTERM');
  await delay(4_000);
  process.kill(worker, 'SIGCONT');

  expect((await service.exited).code).toBe(0);
  expect(readFileSync(join(service.home, 'logs', 'worker-1.log'), 'utf8')).toContain('worker stopped');
});

test('a standalone worker has the same memory options as a worker of `sluice up`', async () => {
  const service = stopAfterEach(await startService());
  const lone = stopAfterEach(await startWorker({ DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl }));
  const optionsOf = (pid: number) =>
    ['cmdline', 'environ'].map(
      (file) => /max-semi-space-size=\d+|MALLOC_ARENA_MAX=\d+/.exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[0],
    );

  const options = [lone.pid, service.pidOf('worker-1')].map(optionsOf);

  expect(options).toEqual(Array(2).fill(['max-semi-space-size=8', 'MALLOC_ARENA_MAX=2']));
});
