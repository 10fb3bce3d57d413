import { describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import { createWorkflow } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';
import { nodeOf } from './support/flows.ts';

const { service, open, openTab } = await startDashboard();

describe('the editor with the keyboard', () => {
  test('leads by Tab from a new node to its fields', async () => {
    const id = await createWorkflow(service, { name: 'Keys only', nodes: [], connections: {} });
    const page = await open(`/workflows/${id}`);
    for (const search of ['Manual Trigger', 'HTTP Request']) {
      await page.getByRole('button', { name: 'Add node' }).press('Enter');
      await page.getByPlaceholder('Search nodes').fill(search);
      await page.getByRole('option', { name: search, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    const form = page.getByRole('region', { name: 'Node HTTP Request' });
    await form.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await form.locator('[aria-label="Name of the node"]:focus').waitFor();
    await nodeOf(page, 'Manual Trigger').waitFor();
  });

  test('leads by Tab from the first trigger to its fields', async () => {
    const id = await createWorkflow(service, { name: 'First by key', nodes: [], connections: {} });
    const page = await open(`/workflows/${id}`);
    await page.getByRole('button', { name: /^Schedule Trigger/ }).press('Enter');
    const form = page.getByRole('region', { name: 'Node Schedule Trigger' });
    await form.and(page.locator(':focus')).waitFor();
  });

  test('opens the list of node types by a key in the first second of a page', async () => {
    const id = await createWorkflow(service, { name: 'Early key', nodes: [], connections: {} });
    const tab = await openTab({ isNew: true });
    // However slow the machine is, the key comes in the first second.
    await tab.page.addInitScript('const now = performance.now.bind(performance); performance.now = () => now() / 1000;');
    await tab.open(`/workflows/${id}`);
    await tab.page.getByRole('button', { name: /^Manual Trigger/ }).waitFor();
    await tab.page.keyboard.press('a');
    await tab.page.getByPlaceholder('Search nodes').waitFor();
  });

  test('holding down a shortcut saves and runs only once', async () => {
    const id = await createWorkflow(service, {
      name: 'Held',
      nodes: [aNode({ name: 'Start', type: 'base.manual-trigger' })],
      connections: {},
    });
    const page = await open(`/workflows/${id}`);
    const sent: string[] = [];
    await page.route(new RegExp(`/workflows/${id}(/run)?$`), async (route) => {
      if (route.request().method() !== 'GET') {
        sent.push(route.request().method());
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      await route.continue();
    });
    await nodeOf(page, 'Start').click();
    await page.keyboard.press('Control+d');
    await page.keyboard.down('Control');
    for (const key of ['s', 's', 's']) await page.keyboard.down(key);
    await page.getByText('Workflow saved').first().waitFor();
    await page.keyboard.up('s');
    for (const key of ['Enter', 'Enter', 'Enter']) await page.keyboard.down(key);
    await page.getByRole('link', { name: /^Execution \d+$/ }).waitFor();
    for (const key of ['Enter', 'Control']) await page.keyboard.up(key); // later tests reuse the tab
    expect([sent, await page.getByRole('dialog').count()]).toEqual([['PATCH', 'POST'], 0]);
  });
});
