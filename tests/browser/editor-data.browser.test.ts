import { describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf, runAndEnd } from './support/flows.ts';

const { service, open, inspect } = await startDashboard();

const orders = await createOrders(service);
await runAndEnd(service, orders);

async function openData(page: Page, name: string): Promise<void> {
  await nodeOf(page, name).click();
  await page.getByRole('tab', { name: 'Data' }).click();
}

describe('the data of a node in the editor', () => {
  test('is a table, whose rows are reached by keys and which can be searched', async () => {
    const page = await open(`/workflows/${orders}`);
    await openData(page, 'Mark large');
    const input = page.getByRole('table', { name: 'Input' });
    await input.getByRole('columnheader', { name: 'customer' }).waitFor();
    expect(await input.getByRole('row').count()).toBe(4);
    await input.getByRole('row').nth(1).focus();
    await page.keyboard.press('ArrowDown');
    await input.locator('[role=row]:focus').getByText('Customer 4').waitFor();
    await page.getByRole('searchbox', { name: 'Search the input' }).fill('customer 5');
    await input.getByText('Customer 4').waitFor({ state: 'detached' });
    expect(await input.getByRole('row').count()).toBe(2);
  });

  test('is shown as a table, a tree, or a schema, as on the page of an execution', async () => {
    const page = await open(`/workflows/${orders}`);
    await openData(page, 'Orders');
    const looks = page.getByRole('group', { name: 'Show as' }).first();
    await looks.getByRole('button', { name: 'JSON' }).click();
    await page.getByRole('tree', { name: 'Output' }).waitFor();
    await looks.getByRole('button', { name: 'Schema' }).click();
    await page.getByRole('list', { name: 'Output: schema' }).getByText('address').waitFor();
  });

  test('lists the outputs of a node by name', async () => {
    const page = await open(`/workflows/${orders}`);
    await openData(page, 'Large?');
    const output = page.getByLabel('Output: branch');
    await output.selectOption({ label: 'false (2)' });
    await page.getByRole('table', { name: 'Output' }).getByText('Customer 2').waitFor();
  });

  test('looks right and is accessible', async () => {
    const ready = async (page: Page) => {
      if ((await page.getByRole('table').count()) === 0) await openData(page, 'Large?');
      await page.getByRole('table', { name: 'Input' }).waitFor();
    };
    await inspect({ name: 'editor-data', path: `/workflows/${orders}`, ready });
  });
});

test('a node with the name of an inherited member is edited, run, and shown', async () => {
  const nodes = [
    aNode({ name: 'constructor', type: 'base.manual-trigger' }),
    aNode({ name: 'hasOwnProperty', type: 'base.no-op', position: [240, 0] }),
    aNode({ name: 'toString', type: 'base.no-op', position: [480, 0] }),
    aNode({ name: '__proto__', type: 'base.no-op', position: [240, 200] }),
  ];
  const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  const connections = { constructor: to('hasOwnProperty'), hasOwnProperty: to('toString'), toString: to('__proto__') };
  const id = await createWorkflow(service, { name: 'valueOf', nodes, connections });
  const page = await open(`/workflows/${id}`);
  await openData(page, 'toString');
  await page.getByText('This node has not run yet.').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  for (const name of ['constructor', 'hasOwnProperty', 'toString', '__proto__']) {
    await nodeOf(page, name)
      .getByText(/1 item$/)
      .waitFor();
  }
  await nodeOf(page, 'toString').click();
  await page.keyboard.press('Delete');
  await nodeOf(page, 'toString').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+s');
  await page.getByText('Workflow saved').first().waitFor();
  const { body } = await service.call('GET', `/workflows/${id}`);
  expect(Object.keys(body.connections)).toEqual(['constructor']);
  await page.getByRole('link', { name: /^Execution \d+$/ }).click();
  for (const name of ['toString', '__proto__']) {
    await nodeOf(page, name).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('table', { name: 'Output' }).waitFor();
  }
});
