import { aNode, eventually } from '@sluice/test-support';
import type { Locator, Page } from 'playwright-core';
import type { RunningService } from '../../e2e/harness.ts';
import { createWorkflow, startRun } from '../../e2e/support/runs.ts';

const link = (...nodes: string[]) => ({ main: [nodes.map((node) => ({ node, type: 'main', index: 0 }))] });
const terminal = ['success', 'error', 'canceled', 'crashed'];

/** A node in the graph on a page, by name. */
export const nodeOf = (page: Page, name: string): Locator => page.locator(`.react-flow__node[data-id="${name}"]`);

const place = (x: number, y = 0) => ({ position: [x, y] as [number, number] });

/** Orders that are split by their total, joined, and charged, which fails. */
export function createOrders(service: RunningService): Promise<string> {
  // The totals differ between executions.
  const orders = `const price = 10 + Number($execution.id);
return [1, 2, 3, 4, 5].map((id) => ({ json: { id, customer: 'Customer ' + id, total: id * price, address: { city: 'Vienna' }, tags: ['new'] } }));`;
  const isLarge = { conditions: { number: [{ value1: '={{ $json.id }}', operation: 'larger', value2: 2 }] } };
  const mark = (value: string) => ({
    parameters: { values: { string: [{ name: 'size', value }] } },
    type: 'base.set',
    typeVersion: 2,
  });
  return createWorkflow(service, {
    name: 'Order intake',
    nodes: [
      aNode({ name: 'Start', type: 'base.manual-trigger', ...place(0) }),
      aNode({ name: 'Orders', type: 'base.code', typeVersion: 2, parameters: { jsCode: orders }, ...place(220) }),
      aNode({ name: 'Large?', type: 'base.if', typeVersion: 1, parameters: isLarge, ...place(440) }),
      aNode({ name: 'Mark large', ...mark('large'), ...place(660, -100) }),
      aNode({ name: 'Mark small', ...mark('small'), ...place(660, 100) }),
      aNode({ name: 'Join', type: 'base.merge', typeVersion: 2, parameters: {}, ...place(880) }),
      aNode({
        name: 'Charge',
        type: 'base.code',
        typeVersion: 2,
        parameters: { jsCode: `throw new Error('The card of customer 5 was declined');` },
        ...place(1100),
      }),
    ],
    connections: {
      Start: link('Orders'),
      Orders: link('Large?'),
      'Large?': { main: [...link('Mark large').main, ...link('Mark small').main] },
      'Mark large': link('Join'),
      'Mark small': { main: [[{ node: 'Join', type: 'main', index: 1 }]] },
      Join: link('Charge'),
    },
  });
}

/** A workflow that waits for ten minutes. */
export function createWaiting(service: RunningService): Promise<string> {
  const wait = { amount: 600, unit: 'seconds' };
  return createWorkflow(service, {
    name: 'Approval reminder',
    nodes: [
      aNode({ name: 'Start', type: 'base.manual-trigger', ...place(0) }),
      aNode({ name: 'Pause', type: 'base.wait', typeVersion: 1.1, parameters: wait, ...place(220) }),
      aNode({ name: 'After', type: 'base.no-op', ...place(440) }),
    ],
    connections: { Start: link('Pause'), Pause: link('After') },
  });
}

export async function runAndEnd(service: RunningService, id: string): Promise<string> {
  const executionId = await startRun(service, id);
  await eventually(async () => terminal.includes((await service.call('GET', `/executions/${executionId}`)).body.status));
  return executionId;
}
