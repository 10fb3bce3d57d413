import { type RunningApi, startApi } from '@sluice/api';
import { type Config, type RawEnv, toConfig } from '@sluice/config';
import { type Database, ensureBootstrap, ProjectRepository } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, ExecutionQueue, type RedisClient } from '@sluice/queue';
import {
  eventually,
  type TestDatabase,
  testDatabase,
  testMasterKey,
  testRedisPrefix,
  testRedisUrl,
} from '@sluice/test-support';
import { type RunningWorker, type StartOverrides, startWorker } from '../../src/worker.ts';
import { callApi, ownerKey } from './call-api.ts';

/** For processes whose log lines no test reads. */
export const silent = createLogger({ name: 'test', level: 'silent' });

/**
 * A database with an owner, a queue, and any number of workers and APIs. `close` ends all of it.
 */
export class Fleet {
  readonly #database: TestDatabase;
  /** The owner, whose key is `ownerKey`. */
  readonly userId: string;
  readonly queue: ExecutionQueue;
  readonly queuePrefix: string;
  readonly redis: RedisClient = createRedis(testRedisUrl(), 'producer', silent);
  readonly #settings: RawEnv;
  readonly #workers = new Set<RunningWorker>();
  #api: RunningApi | undefined;

  private constructor(database: TestDatabase, userId: string, settings: RawEnv) {
    this.#database = database;
    this.userId = userId;
    this.queuePrefix = testRedisPrefix();
    this.queue = new ExecutionQueue(this.redis, this.queuePrefix);
    this.#settings = {
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      QUEUE_PREFIX: this.queuePrefix,
      ENCRYPTION_KEY: testMasterKey,
      PORT: '0',
      WORKER_PORT: '0',
      SHUTDOWN_GRACE_MS: '500',
      ...settings,
    };
  }

  /** @param settings for all its processes, in addition to those for its database and queue. */
  static async start(settings: RawEnv = {}): Promise<Fleet> {
    const database = await testDatabase();
    const { ownerId } = await ensureBootstrap(database.db.kysely, { bootstrapApiKey: ownerKey });
    return new Fleet(database, ownerId, settings);
  }

  get databaseUrl(): string {
    return this.#database.url;
  }

  get db(): Database {
    return this.#database.db;
  }

  /** Its settings, with additions or replacements. */
  config(settings: RawEnv = {}): Config {
    return toConfig({ ...this.#settings, ...settings });
  }

  /** Changes settings for processes that start from now on. */
  change(settings: RawEnv): void {
    Object.assign(this.#settings, settings);
  }

  async work(overrides: StartOverrides = {}, settings: RawEnv = {}): Promise<RunningWorker> {
    const worker = await startWorker(this.config(settings), { logger: silent, ...overrides });
    this.#workers.add(worker);
    return worker;
  }

  async stop(worker: RunningWorker): Promise<void> {
    this.#workers.delete(worker);
    await worker.stop();
  }

  async stopWorkers(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.stop(worker)));
  }

  /** Starts the API for `call`; resolves once it responds. */
  async serve(overrides: Parameters<typeof startApi>[1] = {}): Promise<RunningApi> {
    this.#api = await startApi(this.config(), { logger: silent, ...overrides });
    await eventually(async () => (await this.call('GET', '/workflows')).status === 200);
    return this.#api;
  }

  /** Sends a request to its API as the owner. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): ReturnType<typeof callApi> {
    if (!this.#api) throw new Error('this fleet has no API');
    return callApi(this.#api, method, path, body, headers);
  }

  /** Id of a new team project. */
  async aProject(): Promise<string> {
    return (await new ProjectRepository(this.db.kysely).createTeam({ name: 'team' })).id;
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.#api?.stop();
    await this.queue.close();
    await closeRedis(this.redis);
    await this.#database.drop();
  }
}
