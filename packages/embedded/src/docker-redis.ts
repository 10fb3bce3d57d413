import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { probeRedis } from './redis-probe.ts';
import { runCommand, succeeds } from './run-command.ts';
import type { EmbeddedService, ServiceOptions } from './service.ts';

const image = 'redis:7';
const startTimeoutMs = 60_000;
const watchMs = 2000;

/**
 * A Redis in its own container, named after its data, or `undefined` if no Docker engine is
 * available. It listens on a loopback port and therefore has a password, because unix sockets are
 * not available across Docker Desktop's virtual machine. A container from an earlier process is
 * adopted.
 */
export async function startRedisContainer(options: ServiceOptions): Promise<EmbeddedService | undefined> {
  if (!(await succeeds('docker', ['info']))) return undefined;
  const name = `sluice-redis-${createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12)}`;
  const password = await redisPassword(options.dataDir);
  if (!(await succeeds('docker', ['start', name]))) {
    options.onProgress?.(`starting Redis in Docker (${image})`);
    await createContainer(name, options);
  }
  const url = await untilReachable(name, password);
  return { url, exited: watch(name), stop: () => removeContainer(name) };
}

async function createContainer(name: string, { dataDir, durable = true, signal }: ServiceOptions): Promise<void> {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const container = [
    '--detach',
    '--name',
    name,
    '--user',
    user,
    '--volume',
    `${dataDir}:/data`,
    '--publish',
    `127.0.0.1:${await findFreePort()}:6379`,
  ];
  const server = [
    'redis-server',
    '/data/redis.conf',
    '--dir',
    '/data',
    '--appendonly',
    durable ? 'yes' : 'no',
    '--maxmemory-policy',
    'noeviction',
  ];
  await runCommand('docker', ['run', ...container, image, ...server], { timeoutMs: 300_000, signal });
}

async function untilReachable(name: string, password: string): Promise<string> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const overdue = performance.now() > deadline;
    try {
      const port = /:(\d+)\s*$/m.exec(await runCommand('docker', ['port', name, '6379/tcp']))?.[1];
      const url = `redis://:${password}@127.0.0.1:${port}`;
      if (!(await probeRedis(url)).loading) return url;
      if (overdue) throw new Error(`Redis in ${name} is still loading its data after ${startTimeoutMs / 1000} seconds`);
    } catch (error) {
      if (overdue) throw error;
    }
    await delay(100);
  }
}

async function removeContainer(name: string): Promise<void> {
  await succeeds('docker', ['stop', name], 30_000);
  await succeeds('docker', ['rm', '--force', name], 30_000);
}

async function watch(name: string): Promise<void> {
  while (await succeeds('docker', ['top', name])) await delay(watchMs, undefined, { ref: false });
}

/**
 * The password of the Redis with its data in a directory. Stored in `redis.conf` next to the data
 * and mounted into the container, because arguments and environment are visible to everyone. The
 * file is moved into place when complete, because a Redis that starts with an empty file has no
 * password.
 */
export async function redisPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'redis.conf');
  const storedPassword = /^requirepass ([\da-f]+)\n/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
  if (storedPassword !== undefined) return storedPassword;
  const password = randomBytes(24).toString('hex');
  await writeFile(`${file}.new`, `requirepass ${password}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return password;
}
