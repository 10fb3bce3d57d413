import { beforeAll, describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import type { Locator, Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';
import { nodeOf, runAndEnd } from './support/flows.ts';

const { service, open, openTab } = await startDashboard();

async function centerOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not visible');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe('the graph in the editor', () => {
  test('opens a graph of 500 nodes at its start and renders only the nodes in view', async () => {
    const nodes = Array.from({ length: 500 }, (_, index) =>
      aNode({ name: `Step ${index}`, type: 'base.no-op', position: [(index % 25) * 220, Math.floor(index / 25) * 120] }),
    );
    const { body } = await service.call('POST', '/workflows', { name: 'Large', nodes, connections: {} });
    const page = await open(`/workflows/${body.id}`);
    await nodeOf(page, 'Step 0').click();
    await page.getByRole('region', { name: 'Node Step 0' }).waitFor();
    expect(await page.locator('.react-flow__node').count()).toBeLessThan(150);
  });

  test('connects two nodes by dragging from an output to an input', async () => {
    const { body } = await service.call('POST', '/workflows', {
      name: 'Apart',
      nodes: [
        aNode({ name: 'Start', type: 'base.manual-trigger', position: [0, 0] }),
        aNode({ name: 'End', type: 'base.no-op', position: [320, 0] }),
      ],
      connections: {},
    });
    const page = await open(`/workflows/${body.id}`);
    const output = await centerOf(nodeOf(page, 'Start').locator('.react-flow__handle-right'));
    const input = await centerOf(nodeOf(page, 'End').locator('.react-flow__handle-left'));
    await page.mouse.move(output.x, output.y);
    await page.mouse.down();
    await page.mouse.move((output.x + input.x) / 2, output.y, { steps: 4 });
    await page.mouse.move(input.x, input.y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press('Control+s');
    await page.getByText('Workflow saved').first().waitFor();
    const { body: saved } = await service.call('GET', `/workflows/${body.id}`);
    expect(saved.connections).toEqual({ Start: { main: [[{ node: 'End', type: 'main', index: 0 }]] } });
  });
});

describe('a workflow of 200 nodes', () => {
  let id: string;

  beforeAll(async () => {
    const name = (index: number) => (index === 0 ? 'Start' : `Step ${index}`);
    const nodes = Array.from({ length: 200 }, (_, index) =>
      aNode({
        name: name(index),
        type: index === 0 ? 'base.manual-trigger' : 'base.no-op',
        position: [(index % 20) * 220, Math.floor(index / 20) * 120],
      }),
    );
    const connections = Object.fromEntries(
      nodes.slice(1).map((node, index) => [name(index), { main: [[{ node: node.name, type: 'main', index: 0 }]] }]),
    );
    id = (await service.call('POST', '/workflows', { name: 'Large', nodes, connections })).body.id;
  });

  /**
   * Opens a page with the graph and waits for a node. `drawn` counts the nodes that have ever been
   * rendered.
   */
  async function openGraph(path: string, first: string): Promise<{ page: Page; drawn: () => Promise<number> }> {
    const tab = await openTab({ isNew: true });
    await tab.page.addInitScript(`
      window.drawn = new Set();
      new MutationObserver(() => {
        for (const node of document.querySelectorAll('.react-flow__node')) window.drawn.add(node.dataset.id);
      }).observe(document, { childList: true, subtree: true })`);
    await tab.open(path);
    await nodeOf(tab.page, first).waitFor();
    return { page: tab.page, drawn: () => tab.page.evaluate<number>('window.drawn.size') };
  }

  /**
   * Distances in pixels between the ends of a horizontal connection and the centers of its handles.
   */
  async function gaps(page: Page, from: string, to: string): Promise<number[]> {
    const path = page.locator(`.react-flow__edge[data-id*="${from}"][data-id*="${to}"] path`).first();
    const line = await path.boundingBox();
    if (!line) throw new Error('it is not visible');
    const [source, target] = await Promise.all([
      centerOf(nodeOf(page, from).locator('.source').first()),
      centerOf(nodeOf(page, to).locator('.target').first()),
    ]);
    return [
      Math.hypot(line.x - source.x, line.y - source.y),
      Math.hypot(line.x + line.width - target.x, line.y + line.height - target.y),
    ];
  }

  test('opens in the editor with the nodes in view, connected at their handles', async () => {
    const { page, drawn } = await openGraph(`/workflows/${id}`, 'Step 1');
    for (const gap of await gaps(page, 'Step 1', 'Step 2')) expect(gap).toBeLessThan(8);
    expect(await drawn()).toBeLessThan(100);
    await nodeOf(page, 'Step 1').click();
    await page.getByRole('region', { name: 'Node Step 1' }).waitFor();
  });

  test('opens as the graph of an execution with the nodes in view, connected at their handles', async () => {
    const executionId = await runAndEnd(service, id);
    const { page, drawn } = await openGraph(`/executions/${executionId}`, 'Step 199');
    for (const gap of await gaps(page, 'Step 198', 'Step 199')) expect(gap).toBeLessThan(8);
    expect(await drawn()).toBeLessThan(100);
  });
});
