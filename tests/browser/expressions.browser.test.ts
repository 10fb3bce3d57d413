import { describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { seriousFindings } from './support/browser.ts';
import { startDashboard } from './support/dashboard.ts';
import { nodeOf } from './support/flows.ts';

const { service, open, openTab, inspect } = await startDashboard();

const json = { name: 'Ada', address: { city: 'Vienna', 'zip code': '1010' } };

/** Start, with a pinned item → Fetch, with an expression as URL. */
function createFetch(url = '='): Promise<string> {
  return createWorkflow(service, {
    name: 'Expressions',
    nodes: [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Fetch', type: 'base.http-request', typeVersion: 4.2, parameters: { url }, position: [240, 0] }),
    ],
    connections: { Start: { main: [[{ node: 'Fetch', type: 'main', index: 0 }]] } },
    pinData: { Start: [{ json }] },
  });
}

/**
 * Opens the form of Fetch; returns the editor of its URL, which has the focus and is ready to
 * complete names.
 */
async function openUrl(page: Page) {
  await nodeOf(page, 'Fetch').click();
  const editor = page.locator('.cm-content[aria-autocomplete]').and(page.getByLabel('URL', { exact: false }));
  await editor.focus();
  return editor;
}

const option = (page: Page, name: string) => page.getByRole('listbox').getByRole('option', { name }).first();

/**
 * Presses keys when a name is offered. The editor ignores them in the first 75 ms, because they may
 * be meant for the text.
 */
async function choose(page: Page, name: string, ...keys: string[]): Promise<void> {
  await option(page, name).waitFor();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
  for (const key of keys.length === 0 ? ['Enter'] : keys) await page.keyboard.press(key);
}

describe('an expression', () => {
  test('is completed with the fields of the input by keys, and previewed', async () => {
    const page = await open(`/workflows/${await createFetch()}`);
    const editor = await openUrl(page);
    await page.keyboard.type('{{ $j');
    await choose(page, '$json', 'Tab');
    await page.keyboard.type('.add');
    await choose(page, 'address');
    await page.keyboard.type('.');
    await choose(page, 'zip code', 'ArrowDown', 'Enter');
    expect(await editor.textContent()).toBe('{{ $json.address["zip code"]}}');
    await page.getByLabel('Value for the first item').getByText('1010').waitFor();
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.locator('.cm-content:focus').waitFor({ state: 'detached' });
    expect(await editor.textContent()).toBe('{{ $json.address["zip code"]}}');
  });

  test('is completed with the data of other nodes', async () => {
    const page = await open(`/workflows/${await createFetch()}`);
    await openUrl(page);
    await page.keyboard.type('{{ $("');
    await choose(page, 'Start');
    await page.keyboard.type('").first().json.na');
    await choose(page, 'name');
    await page.getByLabel('Value for the first item').getByText('Ada').waitFor();
  });

  test('gets a chosen field at the caret', async () => {
    const page = await open(`/workflows/${await createFetch('=https://example.com/?q=')}`);
    const editor = await openUrl(page);
    await page.keyboard.press('Home');
    await page.keyboard.type('a');
    const picker = page.getByLabel('Insert a field of the input').first();
    await picker.selectOption({ label: 'name: Ada' });
    await picker.selectOption({ label: 'address.city: Vienna' });
    await editor.getByText('a{{ $json.name }}{{ $json.address.city }}https://example.com/?q=').waitFor();
    // the editor undoes what the picker inserted
    await editor.focus();
    await page.keyboard.press('Control+z');
    await editor.getByText('$json').waitFor({ state: 'detached' });
  });

  test('shows why it has no value', async () => {
    const page = await open(`/workflows/${await createFetch('={{ $("None").item }}')}`);
    await openUrl(page);
    await page.locator('.preview.is-error').getByText('None').waitFor();
  });

  test('cannot be changed by a viewer', async () => {
    const { body: project } = await service.call('POST', '/projects', { name: 'Read' });
    const email = 'expressions@example.com';
    const { body: user } = await service.call('POST', '/users', { email, role: 'member', createApiKey: true });
    await service.call('POST', `/projects/${project.id}/members`, { email, role: 'project:viewer' });
    const node = aNode({ name: 'Fetch', type: 'base.http-request', typeVersion: 4.2, parameters: { url: '={{ 1 }}' } });
    const workflow = { name: 'Read', nodes: [node], connections: {}, projectId: project.id };
    const id = await createWorkflow(service, workflow);
    const page = await open(`/workflows/${id}`, { signedIn: false });
    await page.getByLabel('API key').fill(user.rawApiKey);
    await page.keyboard.press('Enter');
    await page.getByText('Read only').waitFor();
    const editor = await openUrl(page);
    await editor.and(page.locator('[aria-readonly=true]')).waitFor();
    await page.keyboard.type('x');
    expect(await editor.textContent()).toBe('{{ 1 }}');
  });

  test('is a text area if the editor cannot be loaded', async () => {
    const { page, open: go } = await openTab({ isNew: true });
    await page.route('**/assets/code-editor*', (route) => route.abort());
    await go(`/workflows/${await createFetch()}`);
    await nodeOf(page, 'Fetch').click();
    await page.getByLabel('URL').first().fill('{{ $json.name }}');
    await page.getByLabel('Insert a field of the input').first().selectOption({ label: 'name: Ada' });
    await page.getByLabel('Value for the first item').getByText('AdaAda').waitFor();
  });

  test('looks right and is accessible with its choices open', async () => {
    const id = await createFetch();
    const ready = async (page: Page) => {
      if ((await page.getByRole('listbox').count()) > 0) return;
      await openUrl(page);
      await page.keyboard.press('Control+A'); // after a reload, the unsaved expression is back
      await page.keyboard.type('{{ $json.');
      await option(page, 'address').waitFor();
    };
    await inspect({ name: 'expression', path: `/workflows/${id}`, ready });
  });
});

test('JavaScript code is completed with the fields of the input', async () => {
  const nodes = [
    aNode({ name: 'Start', type: 'base.manual-trigger' }),
    aNode({ name: 'Compute', type: 'base.code', typeVersion: 2, parameters: { jsCode: '' }, position: [240, 0] }),
  ];
  const connections = { Start: { main: [[{ node: 'Compute', type: 'main', index: 0 }]] } };
  const id = await createWorkflow(service, { name: 'Code', nodes, connections, pinData: { Start: [{ json }] } });
  const page = await open(`/workflows/${id}`);
  await nodeOf(page, 'Compute').click();
  await page.locator('.cm-content[aria-autocomplete]').focus();
  await page.keyboard.type('const all = $input.first().json.');
  await choose(page, 'address');
  expect(await page.locator('.cm-content').textContent()).toBe('const all = $input.first().json.address');
});

describe('the code editor', () => {
  test('edits the query of a GraphQL node', async () => {
    const node = aNode({ name: 'Ask', type: 'base.graphql', typeVersion: 1.1, parameters: { query: '{ user { id } }' } });
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Asked', nodes: [node], connections: {} })}`);
    await nodeOf(page, 'Ask').click();
    await page
      .locator('.cm-content')
      .and(page.getByLabel('Query', { exact: false }))
      .getByText('{ user { id } }')
      .waitFor();
    expect(await page.locator('.cm-gutters').count()).toBeGreaterThan(0);
  });

  test('edits pinned items, and shows the items of an undo', async () => {
    const page = await open(`/workflows/${await createFetch()}`);
    await nodeOf(page, 'Start').click();
    await page.getByRole('tab', { name: 'Data' }).click();
    const editor = page.locator('.cm-content').and(page.getByLabel('Pinned items'));
    await editor.fill('[{ "name": "Grace" }');
    await page.locator('.field-error').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await editor.fill('[{ "name": "Grace" }]');
    await page.locator('.field-error').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await editor.getByText('"Vienna"').waitFor();
  });
});
