import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { seriousFindings } from './support/browser.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf, runAndEnd } from './support/flows.ts';

const { service, open, inspect } = await startDashboard();

const orders = await createOrders(service);

/** ID of the execution that the graph shows. */
async function executionOf(page: Page): Promise<string | undefined> {
  const text = await page.getByRole('link', { name: /^Execution \d+$/ }).textContent();
  return /\d+/.exec(text ?? '')?.[0];
}

describe('the editor', () => {
  test('builds, saves, and runs a workflow from scratch', async () => {
    const page = await open('/workflows');
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('By hand');
    await page.getByRole('button', { name: 'Create' }).click();

    await page.getByRole('button', { name: /^Manual Trigger/ }).click();
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByPlaceholder('Search nodes').fill('edit fields');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByLabel('Name', { exact: true }).fill('answer');
    await page.getByRole('button', { name: 'Value: expression' }).click();
    await page.getByLabel('Value', { exact: true }).fill('{{ 40 + 2 }}');
    await page.getByLabel('Value for the first item').getByText('42').waitFor();

    await page.keyboard.press('Control+s');
    await page.getByText('Workflow saved').first().waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const link = page.getByRole('link', { name: /^Execution \d+$/ });
    await nodeOf(page, 'Edit Fields')
      .getByText(/1 item$/)
      .waitFor();
    const id = /\d+/.exec((await link.textContent()) ?? '')?.[0];
    // a string field
    const { body } = await service.call('GET', `/executions/${id}?includeData=true`);
    expect(body.data.resultData.runData['Edit Fields'][0].data.main[0][0].json).toEqual({ answer: '42' });
  });

  test('shows a run before lists of executions are reloaded', async () => {
    const id = await createWorkflow(service, {
      name: 'At once',
      nodes: [aNode({ name: 'Start', type: 'base.manual-trigger' })],
      connections: {},
    });
    const page = await open(`/workflows/${id}`);
    await nodeOf(page, 'Start').waitFor();
    const lists = Promise.withResolvers<void>();
    await page.route('**/api/v1/executions?*', async (route) => {
      await lists.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await nodeOf(page, 'Start')
      .getByText(/1 item$/)
      .waitFor();
    lists.resolve();
  });

  test('shows the warnings of a save until the next save', async () => {
    const settings = { timezone: 'Nowhere' };
    const id = await createWorkflow(service, { name: 'Warned', nodes: [], connections: {}, settings });
    const page = await open(`/workflows/${id}`);
    await page.getByRole('button', { name: /^Manual Trigger/ }).click();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: '1 warning' }).click();
    const dialog = page.getByRole('dialog', { name: 'Warnings' });
    await dialog.getByText('must be an IANA time zone').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('tab', { name: 'Settings' }).first().click();
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: '1 warning' }).waitFor({ state: 'detached' });
  });

  test('shows the whole error of a run on a phone', async () => {
    const errorMessage = 'The card of the customer was declined by the bank';
    const id = await createWorkflow(service, {
      name: 'Declined',
      nodes: [aNode({ name: 'Charge the card', type: 'base.stop-and-error', parameters: { errorMessage } })],
      connections: {},
    });
    await runAndEnd(service, id);
    const page = await open(`/workflows/${id}`);
    await page.setViewportSize({ width: 400, height: 800 });
    const error = page.locator('.run-bar').getByText(errorMessage);
    await error.waitFor();
    expect(
      await error.evaluate((element) => [
        element.scrollWidth - element.clientWidth,
        element.scrollHeight - element.clientHeight,
      ]),
    ).toEqual([0, 0]);
  });

  test('shows viewers the graph without edit actions', async () => {
    const { body: project } = await service.call('POST', '/projects', { name: 'Watched' });
    const { body: user } = await service.call('POST', '/users', {
      email: 'viewer@example.com',
      role: 'member',
      createApiKey: true,
    });
    await service.call('POST', `/projects/${project.id}/members`, { email: 'viewer@example.com', role: 'project:viewer' });
    const nodes = [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Fetch', type: 'base.http-request', typeVersion: 4.2, position: [240, 0] }),
    ];
    const id = await createWorkflow(service, { name: 'Watched', nodes, connections: {}, projectId: project.id });
    const page = await open(`/workflows/${id}`, { signedIn: false });
    await page.getByLabel('API key').fill(user.rawApiKey);
    await page.keyboard.press('Enter');
    await page.getByText('Read only').waitFor();
    await nodeOf(page, 'Start').click();
    await page.getByRole('region', { name: 'Node Start' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Save|Run|Run to here|Add node|More actions)$/ }).count()).toBe(0);
    await nodeOf(page, 'Fetch').click();
    await page.getByRole('textbox', { name: 'URL', disabled: true }).waitFor();
    await page.getByRole('tab', { name: 'Settings' }).last().click();
    await page.getByRole('button', { name: 'Delete the node', disabled: true }).waitFor();
  });

  test('downloads a file that can be imported', async () => {
    const page = await open(`/workflows/${orders}`);
    await nodeOf(page, 'Charge').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    const file = JSON.parse(await text(await (await download).createReadStream()));
    const { body } = await service.call('GET', `/workflows/${orders}`);
    expect(file).toMatchObject({ name: body.name, nodes: body.nodes, connections: body.connections });
  });

  test('undoes, redoes, and keeps the connections of a renamed node', async () => {
    const page = await open(`/workflows/${orders}`);
    await nodeOf(page, 'Join').click();
    await page.getByLabel('Name of the node').fill('Together');
    await page.keyboard.press('Enter');
    await nodeOf(page, 'Together').waitFor();
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await nodeOf(page, 'Join').waitFor();
    await page.getByRole('button', { name: 'Redo (Ctrl+Shift+Z)' }).click();
    await nodeOf(page, 'Together').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Workflow saved').first().waitFor();
    const { body } = await service.call('GET', `/workflows/${orders}`);
    expect(body.connections['Together'].main[0][0].node).toBe('Charge');
    expect(body.connections['Mark small'].main[0][0]).toEqual({ node: 'Together', type: 'main', index: 1 });
  });

  test('keeps the focus and the tab of a node that is renamed, and shows the name of an undo', async () => {
    const nodes = [aNode({ name: 'Start', type: 'base.manual-trigger' })];
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Names', nodes, connections: {} })}`);
    await nodeOf(page, 'Start').click();
    await page.getByRole('tab', { name: 'Data' }).click();
    const name = page.getByLabel('Name of the node');
    await name.fill('Begin');
    await page.keyboard.press('Enter');
    await nodeOf(page, 'Begin').waitFor();
    await page.locator('[aria-label="Name of the node"]:focus').waitFor();
    await page.getByRole('tab', { name: 'Data', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await nodeOf(page, 'Start').waitFor();
  });

  test('evaluates the expressions of a form in one request', async () => {
    const assignments = Array.from({ length: 30 }, (_, index) => ({
      name: `field ${index}`,
      type: 'string',
      value: `={{ $json.city + ${index} }}`,
    }));
    const nodes = [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Fields', type: 'base.set', typeVersion: 3.4, parameters: { assignments: { assignments } } }),
    ];
    const connections = { Start: { main: [[{ node: 'Fields', type: 'main', index: 0 }]] } };
    const pinData = { Start: [{ json: { city: 'Graz' } }] };
    const id = await createWorkflow(service, { name: 'Many', nodes, connections, pinData });
    const page = await open(`/workflows/${id}`);
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/expressions')) requests += 1;
    });
    await nodeOf(page, 'Fields').click();
    await page.getByText('Graz29', { exact: true }).waitFor();
    expect(requests).toBe(1);
  });

  test('uses pinned items instead of running the node', async () => {
    await runAndEnd(service, orders);
    const page = await open(`/workflows/${orders}`);
    await nodeOf(page, 'Orders').click();
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByRole('button', { name: 'Pin this output' }).click();
    await page.getByLabel('Pinned items').fill('[{ "id": 9, "total": 1 }, 7]');
    await page.getByText('must be').or(page.getByText('object')).first().waitFor();
    await page.getByLabel('Pinned items').fill('[{ "id": 9, "total": 1 }]');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await nodeOf(page, 'Orders')
      .getByText(/1 item$/)
      .waitFor();
    const id = await executionOf(page);
    const { body } = await service.call('GET', `/executions/${id}?includeData=true`);
    expect(body.data.resultData.runData.Orders[0].data.main[0]).toEqual([
      expect.objectContaining({ json: { id: 9, total: 1 } }),
    ]);
  });

  test('looks right and is accessible', async () => {
    const ready = (page: Page) => nodeOf(page, 'Charge').waitFor();
    await inspect({ name: 'workflow', path: `/workflows/${orders}`, ready });
  });
});

test('a workflow runs with items that the user typed, and is deleted', async () => {
  const echo = aNode({ name: 'Echo', type: 'base.no-op' });
  const start = aNode({ name: 'Start', type: 'base.manual-trigger' });
  const connections = { Start: { main: [[{ node: 'Echo', type: 'main', index: 0 }]] } };
  const id = await createWorkflow(service, { name: 'Typed', nodes: [start, echo], connections });
  const page = await open(`/workflows/${id}`);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Run with input');
  await page.getByLabel('Items that “Start” returns').fill('[{"typed": 1}, {"typed": 2}]');
  await page.route(`**/workflows/${id}/run`, (route) => route.fulfill({ status: 503, json: { message: 'too busy' } }));
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  await page.getByRole('dialog').getByText('too busy').waitFor();
  await page.unroute(`**/workflows/${id}/run`);
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  await nodeOf(page, 'Echo').getByText('2 items').waitFor();
  await choose('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/workflows');
  expect((await service.call('GET', `/workflows/${id}`)).status).toBe(404);
});
