import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import type { Locator, Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { seriousFindings } from './support/browser.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf, runAndEnd } from './support/flows.ts';

const { service, open, openTab, inspect } = await startDashboard();

const orders = await createOrders(service);

/** ID of the execution that the graph shows. */
async function executionOf(page: Page): Promise<string | undefined> {
  const text = await page.getByRole('link', { name: /^Execution \d+$/ }).textContent();
  return /\d+/.exec(text ?? '')?.[0];
}

async function centerOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not visible');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
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

  test('typing an equals sign switches a field to an expression without losing focus', async () => {
    const request = aNode({ name: 'Request', type: 'base.http-request', typeVersion: 4.2, parameters: {} });
    const id = await createWorkflow(service, { name: 'Typed', nodes: [request], connections: {} });
    const page = await open(`/workflows/${id}`);
    await nodeOf(page, 'Request').click();
    await page.getByRole('textbox', { name: 'URL' }).click();
    await page.keyboard.type('={{ 1 + 1 }}');
    await page.locator('.cm-content:focus').getByText('{{ 1 + 1 }}', { exact: true }).waitFor();
    await page.getByLabel('Value for the first item').getByText('2', { exact: true }).waitFor();
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

  test('restores the value of a number field that was cleared', async () => {
    const wait = aNode({ name: 'Pause', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 600, unit: 'seconds' } });
    const id = await createWorkflow(service, { name: 'Cleared', nodes: [wait], connections: {} });
    const page = await open(`/workflows/${id}`);
    await nodeOf(page, 'Pause').click();
    const amount = page.locator('input[type=number]').first();
    await amount.fill('');
    await amount.blur();
    expect(await amount.inputValue()).toBe('600');
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

  test('suggests input fields in expressions', async () => {
    await runAndEnd(service, orders);
    const page = await open(`/workflows/${orders}`);
    await nodeOf(page, 'Mark large').click();
    await page.getByLabel('Value: expression', { exact: false }).last().click();
    const value = page.getByLabel('Value', { exact: true });
    await value.fill('');
    await page.getByLabel('Insert a field of the input').selectOption({ label: 'address.city: Vienna' });
    await value.getByText('{{ $json.address.city }}').waitFor();
    await page.getByLabel('Value for the first item').getByText('Vienna').waitFor();
  });

  test('previews expressions with the pinned items that the user sees', async () => {
    const values = { string: [{ name: 'in', value: '={{ $json.city }}' }] };
    const nodes = [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Copy', type: 'base.set', typeVersion: 2, parameters: { values }, position: [240, 0] }),
    ];
    const connections = { Start: { main: [[{ node: 'Copy', type: 'main', index: 0 }]] } };
    const pinData = { Start: [{ json: { city: 'Vienna' } }] };
    const id = await createWorkflow(service, { name: 'Pinned', nodes, connections, pinData });
    const page = await open(`/workflows/${id}`);
    const value = page.getByLabel('Value for the first item');
    await nodeOf(page, 'Copy').click();
    await value.getByText('Vienna').waitFor();
    await nodeOf(page, 'Start').click();
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByLabel('Pinned items').fill('[{ "city": "Graz" }]');
    await nodeOf(page, 'Copy').click();
    await value.getByText('Graz').waitFor();
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await value.getByText('Vienna').waitFor();
  });

  test('previews an expression that reads another parameter of its node', async () => {
    const parameters = { mode: 'raw', jsonOutput: '={{ $parameter.note + "!" }}', note: '={{ "to" + "day" }}' };
    const nodes = [aNode({ name: 'Fields', type: 'base.set', typeVersion: 3.4, parameters })];
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Reading', nodes, connections: {} })}`);
    await nodeOf(page, 'Fields').click();
    await page.getByLabel('Value for the first item').getByText('today!').waitFor();
  });

  test('lists common steps first, and shows the credential field that a choice requires', async () => {
    const { body } = await service.call('POST', '/workflows', { name: 'Steps', nodes: [], connections: {} });
    const page = await open(`/workflows/${body.id}`);
    await page.getByRole('button', { name: /^Webhook/ }).click();
    const authentication = page.getByLabel('Authentication', { exact: true });
    await authentication.waitFor();
    expect(await page.getByLabel(/^Credential/).count()).toBe(0);
    await authentication.selectOption({ label: 'Basic Auth' });
    await page.getByRole('link', { name: 'Basic Auth' }).waitFor();
    expect(await page.getByLabel(/^Credential/).count()).toBe(1);
    await page.getByRole('button', { name: 'Add a step' }).click();
    const common = page.getByRole('group', { name: 'Common steps' });
    expect(await common.getByRole('option').first().textContent()).toContain('HTTP Request');
  });

  test('shows a list of collections as entries and adds an entry', async () => {
    const parameters = { operation: 'create', labels: [{ label: 'bug' }] };
    const nodes = [aNode({ name: 'GitHub', type: 'base.github', typeVersion: 1.1, parameters })];
    const { body } = await service.call('POST', '/workflows', { name: 'Labels', nodes, connections: {} });
    const page = await open(`/workflows/${body.id}`);
    await nodeOf(page, 'GitHub').click();
    const labels = page.getByRole('group', { name: 'Labels' });
    await labels.getByRole('button', { name: 'Add: Labels' }).click();
    expect(await labels.getByLabel('Label', { exact: true }).first().inputValue()).toBe('bug');
    await labels.getByLabel('Label', { exact: true }).last().fill('later');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      const saved = await service.call('GET', `/workflows/${body.id}`);
      expect(saved.body.nodes[0].parameters.labels).toEqual([{ label: 'bug' }, { label: 'later' }]);
    });
  });

  test('the undo history of a field stays with its entry when an earlier entry is removed', async () => {
    const assignments = ['first', 'second', 'third'].map((name) => ({ name, type: 'array', value: `["${name}"]` }));
    const parameters = { assignments: { assignments } };
    const nodes = [aNode({ name: 'Fields', type: 'base.set', typeVersion: 3.4, parameters })];
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Entries', nodes, connections: {} })}`);
    await nodeOf(page, 'Fields').click();
    const values = page.locator('.cm-content');
    await values.nth(1).fill('["edited"]');
    await page.getByRole('button', { name: 'Remove field first' }).click();
    await values.nth(2).waitFor({ state: 'detached' });
    await values.first().focus();
    await page.keyboard.press('Control+z');
    expect(await values.allTextContents()).toEqual(['["second"]', '["third"]']);
  });

  test('saves changes before leaving if the user chooses to', async () => {
    const { body } = await service.call('POST', '/workflows', { name: 'Leaving', nodes: [], connections: {} });
    const page = await open(`/workflows/${body.id}`);
    await page.getByRole('button', { name: /^Manual Trigger/ }).click();
    await nodeOf(page, 'Manual Trigger').waitFor();
    await page.getByRole('link', { name: 'All workflows' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save before you leave?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'All workflows' }).click();
    await dialog.getByRole('button', { name: 'Save and leave' }).click();
    await page.waitForURL('**/workflows');
    expect((await service.call('GET', `/workflows/${body.id}`)).body.nodes).toHaveLength(1);
  });

  test('restores changes that were unsaved when the session ended', async () => {
    const { body: scopes } = await service.call('GET', '/api-keys/scopes');
    const { body: key } = await service.call('POST', '/api-keys', { label: 'ends', scopes });
    const id = await createWorkflow(service, { name: 'Interrupted', nodes: [], connections: {} });
    const page = await open(`/workflows/${id}`, { signedIn: false });
    const signIn = async (apiKey: string) => {
      await page.getByLabel('API key').fill(apiKey);
      await page.keyboard.press('Enter');
    };
    await signIn(key.rawApiKey);
    await page.getByRole('button', { name: /^Manual Trigger/ }).click();
    await nodeOf(page, 'Manual Trigger').waitFor();
    await service.call('DELETE', `/api-keys/${key.id}`);
    await page.keyboard.press('Control+s');
    await page.getByText('The service no longer accepts this key').waitFor();

    await page.reload();
    await signIn(service.apiKey);
    await page.getByText('Your changes are back').first().waitFor();
    await nodeOf(page, 'Manual Trigger').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Workflow saved').first().waitFor();
    expect((await service.call('GET', `/workflows/${id}`)).body.nodes).toHaveLength(1);

    await nodeOf(page, 'Manual Trigger').click();
    await page.keyboard.press('Control+d');
    await page.getByText('Not saved', { exact: true }).waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Not saved', { exact: true }).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('sluice.draft'))).toBeNull();
  });

  test('restores changes after a reload, and forgets them once they are saved, undone, or abandoned', async () => {
    const id = await createWorkflow(service, {
      name: 'Reloaded',
      nodes: [aNode({ name: 'Start', type: 'base.manual-trigger' })],
      connections: {},
    });
    const page = await open(`/workflows/${id}`);
    const nodes = page.locator('.react-flow__node');
    page.on('dialog', (dialog) => void dialog.accept());
    const duplicate = async () => {
      await nodeOf(page, 'Start').click();
      await page.keyboard.press('Control+d');
      await page.getByText('Not saved', { exact: true }).waitFor();
    };
    const reload = async () => {
      await page.reload();
      await nodeOf(page, 'Start').waitFor();
      return nodes.count();
    };
    await duplicate();
    expect(await reload()).toBe(2);
    await page.getByText('Your changes are back').first().waitFor();
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await page.getByText('Not saved', { exact: true }).waitFor({ state: 'detached' });
    expect(await reload()).toBe(1);

    await duplicate();
    expect(await reload()).toBe(2);
    await page.keyboard.press('Control+s');
    await page.getByText('Workflow saved').first().waitFor();
    await service.call('PATCH', `/workflows/${id}`, { nodes: [aNode({ name: 'Start', type: 'base.manual-trigger' })] });
    expect(await reload()).toBe(1);

    await duplicate();
    // the tab is hidden, and shown again
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.visibilityState;`);
    expect(await page.evaluate(() => sessionStorage.getItem('sluice.draft'))).toContain('Start 2');
    await page.getByRole('link', { name: 'All workflows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL('**/workflows');
    expect(await page.evaluate(() => sessionStorage.getItem('sluice.draft'))).toBeNull();
  });

  test('hides unsaved changes of an ended session from the next user of the tab', async () => {
    const newUser = async (email: string) => {
      const { body } = await service.call('POST', '/users', { email, role: 'admin', createApiKey: true });
      return body as { id: string; rawApiKey: string };
    };
    const [ann, ben] = [await newUser('ann@example.com'), await newUser('ben@example.com')];
    const id = await createWorkflow(service, { name: 'Of Ann', nodes: [], connections: {} });
    const page = await open(`/workflows/${id}`, { signedIn: false });
    await page.getByLabel('API key').fill(ann.rawApiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Manual Trigger/ }).click();
    await nodeOf(page, 'Manual Trigger').waitFor();
    await service.call('DELETE', `/users/${ann.id}`);
    await page.keyboard.press('Control+s');

    await page.getByLabel('API key').fill(ben.rawApiKey);
    await page.keyboard.press('Enter');
    await page.getByText('How does this workflow start?').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('sluice.draft'))).toBeNull();
  });

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

  test('does not overwrite a version that someone else saved', async () => {
    const page = await open(`/workflows/${orders}`);
    await nodeOf(page, 'Start').click();
    await service.call('PATCH', `/workflows/${orders}`, { name: 'Renamed elsewhere' });
    await page.getByLabel('Name of the node').fill('Begin');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('This workflow has changed').waitFor();
    await page.getByRole('button', { name: 'Load theirs' }).click();
    await page.getByRole('heading', { name: 'Renamed elsewhere' }).waitFor();
    await nodeOf(page, 'Start').waitFor();
  });

  test('activates the version that it shows, and then does not overwrite a newer one', async () => {
    const nodes = [aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2, parameters: { path: 'shown-version' } })];
    const { body: workflow } = await service.call('POST', '/workflows', { name: 'Shown', nodes, connections: {} });
    const page = await open(`/workflows/${workflow.id}`);
    await nodeOf(page, 'Webhook').waitFor();
    await service.call('PATCH', `/workflows/${workflow.id}`, { name: 'Saved elsewhere' });
    await page.getByRole('switch', { name: 'Activate' }).click();
    await page.getByRole('dialog', { name: 'The workflow is active' }).waitFor();
    await page.keyboard.press('Escape');
    expect((await service.call('GET', `/workflows/${workflow.id}`)).body.activeVersionId).toBe(workflow.versionId);

    await nodeOf(page, 'Webhook').click();
    await page.getByLabel('Name of the node').fill('Hook');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('This workflow has changed').waitFor();
    expect((await service.call('GET', `/workflows/${workflow.id}`)).body.name).toBe('Saved elsewhere');
  });

  test('looks right and is accessible', async () => {
    const ready = (page: Page) => nodeOf(page, 'Charge').waitFor();
    await inspect({ name: 'workflow', path: `/workflows/${orders}`, ready });
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
