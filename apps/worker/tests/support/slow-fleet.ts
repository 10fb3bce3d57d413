import { expect } from '@jest/globals';
import type { RawEnv } from '@sluice/config';
import { aNode, eventually } from '@sluice/test-support';
import { Fleet } from './fleet.ts';
import { SlowService } from './slow-service.ts';

/** A fleet with an API, and the service that its executions wait for. */
export class SlowFleet {
  readonly fleet: Fleet;
  readonly service: SlowService;
  /** URL of the service; ends with a slash. */
  readonly url: string;

  private constructor(fleet: Fleet, service: SlowService, url: string) {
    this.fleet = fleet;
    this.service = service;
    this.url = url;
  }

  /** Starts the service and the API; tests start the workers. */
  static async start(settings: RawEnv = {}): Promise<SlowFleet> {
    const service = await new SlowService().listen();
    const fleet = await Fleet.start({ SSRF_ALLOW: '127.0.0.1', ...settings });
    await fleet.serve();
    return new SlowFleet(fleet, service, `${service.url}/`);
  }

  /** Creates a workflow that sends one request to a path of the service; resolves to its ID. */
  async aWorkflow(path: string, changes: object = {}): Promise<string> {
    const { body } = await this.fleet.call('POST', '/workflows', {
      name: path,
      nodes: [
        aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' }),
        aNode({
          id: 'h',
          name: 'Request',
          type: 'base.http-request',
          typeVersion: 4.2,
          parameters: { url: `${this.url}${path}` },
        }),
      ],
      connections: { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
      ...changes,
    });
    return body.id;
  }

  /** Starts executions; resolves to their IDs without waiting for their ends. */
  async run(workflowId: string, count = 1): Promise<string[]> {
    const start = async () =>
      (await this.fleet.call('POST', `/workflows/${workflowId}/run`, {}, { prefer: 'respond-async' })).body.executionId;
    return Promise.all(Array.from({ length: count }, start));
  }

  /** Resolves once this many executions have succeeded. */
  async untilSuccesses(count: number): Promise<void> {
    await eventually(async () => {
      const { body } = await this.fleet.call('GET', '/executions?status=success&limit=250');
      expect(body.data).toHaveLength(count);
    });
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.fleet.close();
  }
}
