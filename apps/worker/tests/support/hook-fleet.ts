import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningApi, startApi } from '@sluice/api';
import { type Config, toConfig } from '@sluice/config';
import { ensureBootstrap } from '@sluice/db';
import type { WorkflowNode } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import {
  aNode,
  eventually,
  type TestDatabase,
  testDatabase,
  testMasterKey,
  testRedisPrefix,
  testRedisUrl,
} from '@sluice/test-support';
import { type RunningWorker, startWorker } from '../../src/worker.ts';
import { callApi, ownerKey } from './call-api.ts';
import { hookPackages } from './hook-package.ts';
import { HookService } from './hook-service.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** An API with the types of `hookPackages`, the service that they register at, and as many workers as a test wants. */
export class HookFleet {
  readonly service: HookService;
  readonly database: TestDatabase;
  readonly #config: Config;
  readonly #api: RunningApi;
  readonly #workers = new Set<RunningWorker>();
  #credential: { id: string; name: string } | undefined;

  private constructor(service: HookService, database: TestDatabase, config: Config, api: RunningApi) {
    this.service = service;
    this.database = database;
    this.#config = config;
    this.#api = api;
  }

  static async start(): Promise<HookFleet> {
    const service = await HookService.start();
    const database = await testDatabase();
    const port = await freePort();
    const config = toConfig({
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      QUEUE_PREFIX: testRedisPrefix(),
      ENCRYPTION_KEY: testMasterKey,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SSRF_PROTECTION: 'off',
    });
    await ensureBootstrap(database.db.kysely, { bootstrapApiKey: ownerKey });
    const api = await startApi(config, { logger, nodePackages: hookPackages });
    const fleet = new HookFleet(service, database, config, api);
    await eventually(async () => (await fleet.call('GET', '/workflows')).status === 200);
    return fleet;
  }

  get queuePrefix(): string {
    return this.#config.redis.queuePrefix;
  }

  call(method: string, path: string, body?: object, headers?: Record<string, string>): ReturnType<typeof callApi> {
    return callApi(this.#api, method, path, body, headers);
  }

  async work(overrides: object = { nodePackages: hookPackages }): Promise<RunningWorker> {
    const worker = await startWorker(this.#config, { logger, ...overrides });
    this.#workers.add(worker);
    return worker;
  }

  async stop(worker: RunningWorker): Promise<void> {
    this.#workers.delete(worker);
    await worker.stop();
  }

  async credential(): Promise<{ id: string; name: string }> {
    const data = { name: 'Hook', type: 'hookApi', data: { token: 'good-token' } };
    this.#credential ??= { id: (await this.call('POST', '/credentials', data)).body.id, name: 'Hook' };
    return this.#credential;
  }

  /** A workflow of one node that registers at the service. */
  async aHook(events = 'all', type = 'acme.hook-trigger'): Promise<{ id: string; node: WorkflowNode }> {
    const node = aNode({
      id: 'h',
      name: 'Hook',
      type,
      parameters: { service: this.service.url, events },
      credentials: { hookApi: await this.credential() },
    });
    const { status, body } = await this.call('POST', '/workflows', { name: 'Hooked', nodes: [node], connections: {} });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: body.id, node };
  }

  /** At which the service calls the node of a workflow. */
  hookUrl(id: string, events = 'all'): string {
    return `${this.#config.http.publicUrl}/webhook/${id}/h/${events}/events`;
  }

  /** Resolves once nothing is registered, or is to be ended, any more. */
  async ended(): Promise<void> {
    const query = this.database.db.kysely.selectFrom('registrations').select('id');
    await eventually(async () => (await query.execute()).length === 0);
  }

  /** After each test: no worker is left, and the service does what it is asked. */
  async reset(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.stop(worker)));
    this.service.behave();
  }

  async close(): Promise<void> {
    await this.#api.stop();
    this.service.close();
    await this.database.drop();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
