import type { Database } from '@sluice/db';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { findFreePort } from '@sluice/embedded';
import { aNode, eventually } from '@sluice/test-support';
import type { RunningWorker, StartOverrides } from '../../src/worker.ts';
import { Fleet } from './fleet.ts';
import { hookPackages } from './hook-package.ts';
import { HookService } from './hook-service.ts';

/** An API with the types of `hookPackages`, their service, and any number of workers. */
export class HookFleet {
  readonly service: HookService;
  readonly #fleet: Fleet;
  readonly #url: string;
  #credential: { id: string; name: string } | undefined;

  private constructor(service: HookService, fleet: Fleet, url: string) {
    this.service = service;
    this.#fleet = fleet;
    this.#url = url;
  }

  static async start(): Promise<HookFleet> {
    const service = await new HookService().listen();
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const fleet = await Fleet.start({ PORT: String(port), PUBLIC_URL: url, SSRF_PROTECTION: 'off' });
    await fleet.serve({ nodePackages: hookPackages });
    return new HookFleet(service, fleet, url);
  }

  get db(): Database {
    return this.#fleet.db;
  }

  get redis(): Fleet['redis'] {
    return this.#fleet.redis;
  }

  get queuePrefix(): string {
    return this.#fleet.queuePrefix;
  }

  call(...request: Parameters<Fleet['call']>): ReturnType<Fleet['call']> {
    return this.#fleet.call(...request);
  }

  work(overrides: StartOverrides = { nodePackages: hookPackages }): Promise<RunningWorker> {
    return this.#fleet.work(overrides);
  }

  stop(worker: RunningWorker): Promise<void> {
    return this.#fleet.stop(worker);
  }

  async credential(): Promise<{ id: string; name: string }> {
    const data = { name: 'Hook', type: 'hookApi', data: { token: 'good-token' } };
    this.#credential ??= { id: (await this.call('POST', '/credentials', data)).body.id, name: 'Hook' };
    return this.#credential;
  }

  /** A workflow of one node that registers at the service. */
  async aHook(events = 'all', type = 'acme.hook-trigger', more: JsonObject = {}): Promise<{ id: string; node: WorkflowNode }> {
    const node = aNode({
      id: 'h',
      name: 'Hook',
      type,
      parameters: { service: this.service.url, events, ...more },
      credentials: { hookApi: await this.credential() },
    });
    const { status, body } = await this.call('POST', '/workflows', { name: 'Hooked', nodes: [node], connections: {} });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: body.id, node };
  }

  /** URL to which the service sends requests for a workflow's node. */
  hookUrl(id: string, events = 'all', base = 'webhook'): string {
    return `${this.#url}/${base}/${id}/h/${events}/events`;
  }

  /** Resolves once nothing is registered or to be removed. */
  async ended(): Promise<void> {
    const query = this.db.kysely.selectFrom('registrations').select('id');
    await eventually(async () => (await query.execute()).length === 0);
  }

  /** After each test: stops all workers, and resets the service's behavior. */
  async reset(): Promise<void> {
    await this.#fleet.stopWorkers();
    this.service.behave();
  }

  async close(): Promise<void> {
    await this.#fleet.close();
    await this.service.stop();
  }
}
