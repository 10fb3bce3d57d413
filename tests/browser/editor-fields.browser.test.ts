import { describe, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import { createWorkflow } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf, runAndEnd } from './support/flows.ts';

const { service, open } = await startDashboard();

const orders = await createOrders(service);

describe('the fields of a node', () => {
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
});
