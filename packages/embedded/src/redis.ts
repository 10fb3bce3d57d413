import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type HostEnvironment, readHostEnvironment } from '@sluice/config';
import { startRedisContainer } from './docker-redis.ts';
import { findRedis, type RedisProgram } from './find-redis.ts';
import { isAlive, programOf, readPidFile, worksIn } from './process-identity.ts';
import { probeRedis, type RedisFacts } from './redis-probe.ts';
import { adoptServer, type ServerProcess, startServer } from './server-process.ts';
import type { EmbeddedService, ServiceOptions } from './service.ts';

export interface RedisOptions extends ServiceOptions {
  /** Locations of programs and of the download cache; default: this process's. */
  host?: HostEnvironment;
}

/** Redis saves unsaved data and exits. */
const stopSignal = 'SIGTERM';
const startTimeoutMs = 120_000;

/**
 * Starts a Redis (or Valkey) on a unix socket, with its data in `dataDir`, or adopts an instance
 * that a killed process left running. The program comes from the search path, the distribution's
 * packages, or Docker, in this order.
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedService> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const url = `unix://${join(options.runtimeDir, 'redis.sock')}`;
  const adopted = await adoptRunning(options, url);
  if (adopted !== undefined) return service(url, adopted);

  const program = await findRedis(options.host ?? readHostEnvironment(), options);
  options.signal?.throwIfAborted();
  if (program === undefined) return inContainer(options);
  const server = await startProgram(options, program);
  try {
    await untilLoaded(options, url, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return service(url, server);
}

function service(url: string, { exited, stop }: ServerProcess): EmbeddedService {
  return { url, exited, stop };
}

async function inContainer(options: RedisOptions): Promise<EmbeddedService> {
  const container = await startRedisContainer(options);
  if (container !== undefined) return container;
  throw new Error(
    'Redis was not found: install it with `apt-get install redis-server` or `brew install redis`, or set REDIS_URL to a running one',
  );
}

function startProgram(options: RedisOptions, { file, env }: RedisProgram): Promise<ServerProcess> {
  const { dataDir, runtimeDir, logFile, durable = true } = options;
  const settings = {
    dir: dataDir,
    pidfile: pidFile(options),
    port: '0',
    unixsocket: join(runtimeDir, 'redis.sock'),
    unixsocketperm: '700',
    appendonly: durable ? 'yes' : 'no',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return startServer({ file, args, env, logFile, stopSignal, diesWithUs: !durable });
}

/**
 * The server that responds on our socket. A server that uses our data but does not respond (its
 * socket was removed) is stopped: two servers must not write the same log.
 */
async function adoptRunning(options: RedisOptions, url: string): Promise<ServerProcess | undefined> {
  try {
    const { pid } = await probeRedis(url);
    const server = adoptServer(pid, stopSignal);
    await untilLoaded(options, url, server);
    options.logger.info({ serverPid: pid }, 'adopting the Redis of an earlier process');
    return server;
  } catch {
    const pid = await readPidFile(pidFile(options));
    if (pid !== undefined && (await isRedis(pid, options))) await adoptServer(pid, stopSignal).stop();
    return undefined;
  }
}

function pidFile({ dataDir }: RedisOptions): string {
  return join(dataDir, 'redis.pid');
}

async function isRedis(pid: number, { dataDir }: RedisOptions): Promise<boolean> {
  return (await worksIn(pid, dataDir)) && /^(redis|valkey)-/.test(basename((await programOf(pid)) ?? ''));
}

/** Throws if the server exits, does not respond in time, or serves other data. */
async function untilLoaded(options: RedisOptions, url: string, server: ServerProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (let tries = 1; ; tries += 1) {
    const { facts, cause } = await probe(url);
    if (facts?.loading === false) return expectDirectory(facts.directory, options.dataDir);
    if (!isAlive(server.pid) || performance.now() > deadline) {
      throw new Error(`Redis did not start; see ${options.logFile}`, { cause });
    }
    options.signal?.throwIfAborted();
    if (tries === 40) options.onProgress?.('waiting for Redis to load its data');
    await delay(25);
  }
}

async function probe(url: string): Promise<{ facts?: RedisFacts; cause?: unknown }> {
  try {
    return { facts: await probeRedis(url) };
  } catch (cause) {
    return { cause };
  }
}

async function expectDirectory(actual: string, expected: string): Promise<void> {
  if (actual !== (await realpath(expected))) throw new Error(`another Redis, with the data of ${actual}, uses our socket`);
}
