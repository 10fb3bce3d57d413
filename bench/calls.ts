import { Agent } from 'node:http';
import type { Measurement } from './bench.ts';
import { itemsOf, setNode } from './engine-cases.ts';
import { call } from './fleet.ts';

const calls = 100;

/**
 * A run that calls a workflow with one set node once per item, for 100 items, one call at a time.
 * The time from the request to the end of its response, divided by the number of calls (`callMs`).
 */
export const measureCalls: Measurement = async ({ fleet, quick }) => {
  const agent = new Agent({ keepAlive: true });
  const start = { name: 'Start', type: 'base.execute-workflow-trigger', typeVersion: 1, position: [0, 0], parameters: {} };
  const called = workflow([start, { name: 'Set', position: [200, 0], ...setNode('={{ $json.name }}') }]);
  const { id: workflowId } = await fleet.call<{ id: string }>('POST', '/api/v1/workflows', called);
  const trigger = { name: 'Trigger', type: 'base.manual-trigger', typeVersion: 1, position: [0, 0], parameters: {} };
  const parameters = { workflowId, mode: 'each' };
  const caller = workflow([
    trigger,
    { name: 'Call', type: 'base.execute-workflow', typeVersion: 1.2, position: [200, 0], parameters },
  ]);
  const pinData = { Trigger: itemsOf(calls) };
  const { id } = await fleet.call<{ id: string }>('POST', '/api/v1/workflows', { ...caller, pinData });
  const round = async () => {
    const startedAt = performance.now();
    const response = await call(fleet.port, 'POST', `/api/v1/workflows/${id}/run`, {}, agent);
    const ms = performance.now() - startedAt;
    const { status } = JSON.parse(response) as { status: string };
    if (status !== 'success') throw new Error(`the calling execution ended with status ${status}`);
    return { callMs: ms / calls };
  };
  for (let i = 0; i < (quick ? 1 : 3); i += 1) await round(); // warm-up
  return round;
};

function workflow(nodes: readonly { name: string }[]): object {
  const [from, to] = nodes.map(({ name }) => name) as [string, string];
  const connections = { [from]: { main: [[{ node: to, type: 'main', index: 0 }]] } };
  return { name: 'calls', nodes, connections, settings: { executionOrder: 'v1' } };
}
