import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTime } from '@sluice/domain';
import type { Measurement } from './bench.ts';
import { inParallel } from './fleet.ts';
import { percentile } from './statistics.ts';

/** Time limit for a request to arrive and for its connection to close. */
const waitMs = 30_000;

/**
 * Stops single executions whose HTTP Request node waits for a server that does not respond.
 * Milliseconds from the stop request to its response (`canceledP99Ms`), and until the server sees
 * that the node has closed its connection (`abortedP99Ms`).
 */
export const measureStops: Measurement = async ({ fleet, quick, resources }) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => void server.close());
  await fleet.activate(waiting((server.address() as AddressInfo).port));

  const round = async (count: number) => {
    const canceled: number[] = [];
    const aborted: number[] = [];
    await inParallel(1, count, async (_, agent) => {
      const received = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const { executionId } = await fleet.call<{ executionId: string }>('POST', '/webhook/stop', {}, agent);
      const [, response] = await inTime(received, waitMs);
      const startedAt = performance.now();
      const closed = once(response, 'close').then(() => aborted.push(performance.now() - startedAt));
      await fleet.call('POST', `/api/v1/executions/${executionId}/stop`, {}, agent);
      canceled.push(performance.now() - startedAt);
      await inTime(closed, waitMs);
    });
    return { canceledP99Ms: percentile(canceled, 0.99), abortedP99Ms: percentile(aborted, 0.99) };
  };
  await round(20); // warm-up
  return () => round(quick ? 50 : 100);
};

function waiting(port: number): object {
  const webhook = { path: 'stop', httpMethod: 'POST', responseMode: 'onReceived' };
  return {
    name: 'stop',
    nodes: [
      { name: 'Webhook', type: 'base.webhook', typeVersion: 2, position: [0, 0], parameters: webhook },
      {
        name: 'HTTP',
        type: 'base.http-request',
        typeVersion: 4.2,
        position: [200, 0],
        parameters: { url: `http://127.0.0.1:${port}/` },
      },
    ],
    connections: { Webhook: { main: [[{ node: 'HTTP', type: 'main', index: 0 }]] } },
    settings: {},
  };
}
