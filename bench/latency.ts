import type { Measurement } from './bench.ts';
import { call, type Fleet, inParallel } from './fleet.ts';
import { percentile } from './statistics.ts';

/**
 * Webhook → set, with a response when the last node has ended: milliseconds until the end of the
 * response.
 */
export const measureLatency: Measurement = async ({ fleet, quick }) => {
  await activateResponding(fleet, { path: 'latency', mode: 'lastNode', twice: '$json.body.n * 2' });
  const requests = quick ? 200 : 500;
  const round = async () => {
    const one = await timeRequests({ port: fleet.port, path: '/webhook/latency' }, 1, requests);
    const ten = await timeRequests({ port: fleet.port, path: '/webhook/latency' }, 10, requests);
    return {
      lastNodeP50Ms: percentile(one, 0.5),
      lastNodeP99Ms: percentile(one, 0.99),
      tenLastNodeP99Ms: percentile(ten, 0.99),
    };
  };
  await round(); // warm-up
  return round;
};

/** Milliseconds that each of `count` requests takes, over `connections` keep-alive connections. */
export async function timeRequests(
  { port, path }: { port: number; path: string },
  connections: number,
  count: number,
): Promise<number[]> {
  const durations: number[] = [];
  await inParallel(connections, count, async (_, agent) => {
    const startedAt = performance.now();
    await call(port, 'POST', path, { n: 21 }, agent);
    durations.push(performance.now() - startedAt);
  });
  return durations;
}

interface RespondingWorkflow {
  path: string;
  /** Response mode of the webhook node. */
  mode: string;
  /** Expression of the set node. */
  twice: string;
}

/**
 * Creates and activates a workflow webhook → set, with a Respond to Webhook node if `mode` requires
 * it.
 */
export async function activateResponding(fleet: Fleet, { path, mode, twice }: RespondingWorkflow): Promise<void> {
  const set = { mode: 'raw', jsonOutput: `={{ { twice: ${twice} } }}` };
  const nodes = [
    {
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { path, httpMethod: 'POST', responseMode: mode },
    },
    { name: 'Set', type: 'base.set', typeVersion: 3.4, position: [200, 0], parameters: set },
    ...(mode === 'responseNode'
      ? [{ name: 'Respond', type: 'base.respond-to-webhook', typeVersion: 1.1, position: [400, 0], parameters: {} }]
      : []),
  ];
  const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  const connections = { Webhook: to('Set'), ...(mode === 'responseNode' && { Set: to('Respond') }) };
  await fleet.activate({ name: path, nodes, connections, settings: {} });
}
