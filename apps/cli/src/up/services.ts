import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '@sluice/config';
import { errorMessage, pause } from '@sluice/domain';
import { type EmbeddedService, makeRuntimeDirectory, type ServiceOptions, startPostgres, startRedis } from '@sluice/embedded';
import type { Logger } from '@sluice/logger';
import { Backoff } from './backoff.ts';

/** Postgres and Redis, either configured or embedded. */
export interface Services {
  databaseUrl: string;
  redisUrl: string;
  /** Stops the embedded services. */
  stop(): Promise<void>;
}

interface ServicesContext {
  logger: Logger;
  onProgress(step: string): void;
  /** Aborts the start. */
  signal: AbortSignal;
}

/** Starts the services that are not configured, concurrently, and keeps them running. */
export async function startServices(config: Config, { logger, onProgress, signal }: ServicesContext): Promise<Services> {
  const started: KeptService[] = [];
  const keep = async (name: string, start: (options: ServiceOptions) => Promise<EmbeddedService>): Promise<string> => {
    const runtimeDir = await makeRuntimeDirectory(config.home);
    const files = { dataDir: join(config.home, name), logFile: join(config.home, 'logs', `${name}.log`) };
    const service = new KeptService(name, () => start({ ...files, runtimeDir, logger, onProgress, signal }), onProgress);
    started.push(service);
    return service.start();
  };
  const stop = async () => {
    await Promise.all(started.map((service) => service.stop()));
  };
  const [database, redis] = await Promise.allSettled([
    config.database.url ?? keep('postgres', startPostgres),
    config.redis.url ?? keep('redis', startRedis),
  ]);
  if (database.status === 'fulfilled' && redis.status === 'fulfilled') {
    return { databaseUrl: database.value, redisUrl: redis.value, stop };
  }
  await stop();
  const reasons = [database, redis].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  throw reasons.length === 1 ? reasons[0] : new AggregateError(reasons, reasons.map((reason) => reason.message).join('\n'));
}

/** Restarts an embedded service, at the same address, when it exits unexpectedly. */
class KeptService {
  readonly #name: string;
  readonly #launch: () => Promise<EmbeddedService>;
  readonly #onProgress: (step: string) => void;
  readonly #backoff = new Backoff();
  readonly #stopped = new AbortController();
  #service: EmbeddedService | undefined;
  #keeping: Promise<void> = Promise.resolve();

  constructor(name: string, launch: () => Promise<EmbeddedService>, onProgress: (step: string) => void) {
    this.#name = name;
    this.#launch = launch;
    this.#onProgress = onProgress;
  }

  async start(): Promise<string> {
    this.#service = await this.#launch();
    this.#keeping = this.#keep(this.#service);
    return this.#service.url;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#service?.stop();
    await this.#keeping;
  }

  async #keep(first: EmbeddedService): Promise<void> {
    const { signal } = this.#stopped;
    const stopped = once(signal, 'abort');
    let service: EmbeddedService | undefined = first;
    let startedAt = performance.now();
    for (;;) {
      await Promise.race([stopped, service?.exited]);
      if (signal.aborted) return;
      this.#onProgress(`${this.#name} has exited; restarting it`);
      const delayMs = this.#backoff.delayAfter(performance.now() - startedAt);
      await pause(delayMs, signal);
      if (signal.aborted) return;
      startedAt = performance.now();
      service = await this.#launchOrReport();
      this.#service = service;
      if (signal.aborted) await service?.stop();
    }
  }

  async #launchOrReport(): Promise<EmbeddedService | undefined> {
    try {
      return await this.#launch();
    } catch (error) {
      this.#onProgress(`could not start ${this.#name}: ${errorMessage(error)}`);
      return undefined;
    }
  }
}
