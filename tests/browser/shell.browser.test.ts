import { describe, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { createWorkflow, startRun } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, createWaiting, nodeOf, runAndEnd } from './support/flows.ts';

const { service, open, openTab, inspect } = await startDashboard();

describe('sign-in', () => {
  test('rejects a wrong key, opens the requested page for a valid key, and keeps the key only in the tab', async () => {
    const page = await open('/executions?status=error', { signedIn: false });
    await page.getByLabel('API key').fill('wrong-key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('401 UNAUTHORIZED').waitFor();

    await page.getByLabel('API key').fill(service.apiKey);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/executions?status=error');
    const stored = await page.evaluate(() => [JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage })]);
    const { cookies } = await page.context().storageState();
    expect(stored.map((text) => text.includes(service.apiKey))).toEqual([true, false]);
    expect(cookies).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('sluice.key'))).toBeNull();
  });

  test('with the link that is printed at startup works once, leaves no trace in the URL, and ends at sign-out', async () => {
    const link = /http\S+#token=\w+/.exec(service.output())?.[0] ?? '';
    const path = link.replace(service.url, '');
    const page = await open(path, { signedIn: false });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const key = await page.evaluate(() => sessionStorage.getItem('sluice.key') ?? '');
    expect(page.url()).toBe(`${service.url}/`);
    const statusOf = async () =>
      (await fetch(`${service.url}/api/v1/workflows`, { headers: { 'X-SERVICE-API-KEY': key } })).status;
    expect(await statusOf()).toBe(200);
    expect(await (await service.call('GET', '/api-keys')).body).toHaveLength(1);

    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search workflows').fill('sign out');
    await page.keyboard.press('Enter');
    await page.getByLabel('API key').waitFor();
    await eventually(async () => (await statusOf()) === 401);

    await page.goto(link);
    await page.getByRole('alert').getByText('The sign-in link no longer works').waitFor();
    expect(page.url()).toBe(`${service.url}/sign-in`);
  });

  test('is required again when the key is revoked', async () => {
    const { body: created } = await service.call('POST', '/api-keys', { label: 'short', scopes: ['execution:list'] });
    const page = await open('/executions', { signedIn: false });
    await page.getByLabel('API key').fill(created.rawApiKey ?? created.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Executions' }).waitFor();
    await service.call('DELETE', `/api-keys/${created.id}`);
    await page.getByText('The service no longer accepts this key').waitFor();
  });

  test('never redirects to another site', async () => {
    const page = await open(`/sign-in?from=${encodeURIComponent('http://127.0.0.1:9/')}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${service.url}/`);
  });

  test('looks right and is accessible', async () => {
    const ready = (page: Page) => page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await inspect({ name: 'sign-in', path: '/sign-in', signedIn: false, ready });
  });
});

describe('the shell', () => {
  test('works with the keyboard: the palette finds workflows, pages, and executions', async () => {
    const id = await createOrders(service);
    const page = await open('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search workflows').fill('order int');
    await page.getByRole('option', { name: 'Order intake' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/workflows/${id}`);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search workflows').fill('#42');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/executions/42');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.waitForURL('**/executions');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search workflows').fill('new workflow');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New workflow' }).waitFor();
  });

  test('finds a workflow by name that is not on the first page', async () => {
    const page = await open('/');
    await page.route(/\/workflows\?.*limit=250/, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('limit=250', 'limit=1') });
      await route.fulfill({ json: { data: [], nextCursor: 'more', count: (await response.json()).count } });
    });
    await createWorkflow(service, { name: 'A needle', nodes: [], connections: {} });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search workflows').fill('needle');
    await page.getByRole('option', { name: 'A needle' }).waitFor();
  });

  test('does not claim that nothing needs attention while the service does not respond', async () => {
    const page = await open('/');
    await page.route('**/api/v1/attention', (route) => route.fulfill({ status: 500, json: { message: 'failed' } }));
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Error rate, 24h').waitFor();
    expect(await page.getByText('Nothing needs attention').count()).toBe(0);
  });

  test('remembers the chosen theme', async () => {
    const page = await open('/');
    const theme = () => page.locator('html').getAttribute('data-theme');
    expect(await theme()).toBe('dark');
    await page.getByRole('button', { name: 'Switch to light' }).click();
    expect(await theme()).toBe('light');
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await theme()).toBe('light');
  });

  test('reports that the service is unreachable, and continues when it is back', async () => {
    const page = await open('/executions');
    await page.getByRole('heading', { name: 'Executions' }).waitFor();
    // Freezes the supervisor, so that it does not restart the API before the list notices.
    service.signal('SIGSTOP');
    process.kill(service.pidOf('api'), 'SIGKILL');
    try {
      await page.getByText('The service cannot be reached').waitFor();
    } finally {
      service.signal('SIGCONT');
    }
    await page.getByText('The service cannot be reached').waitFor({ state: 'detached', timeout: 60_000 });
    const id = await runAndEnd(service, await createOrders(service));
    await page.getByRole('cell', { name: id, exact: true }).waitFor();
  });

  test('shows why a page takes long while a temporary error is retried', async () => {
    const { page, open: go } = await openTab();
    const json = { code: 'UNAVAILABLE', message: 'the database restarts' };
    await page.route('**/api/v1/tags*', (route) => route.fulfill({ status: 503, json }));
    await go('/tags');
    const status = page.getByRole('status', { name: 'Loading' });
    await status.getByText('the database restarts – trying again').waitFor();
    await page.unroute('**/api/v1/tags*');
    await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
    await status.waitFor({ state: 'detached' });
    expect(await page.getByText('the database restarts').count()).toBe(0);
  });

  test('parts that failed to load in an outage appear after it, and unsaved changes are kept', async () => {
    const id = await createWorkflow(service, {
      name: 'Kept',
      nodes: [aNode({ name: 'Start', type: 'base.manual-trigger' })],
      connections: {},
    });
    const { page, open: go } = await openTab({ isNew: true });
    await go(`/workflows/${id}`);
    await nodeOf(page, 'Start').click();
    await page.keyboard.press('Control+d');
    await page.getByText('Not saved').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('list', { name: 'Versions' }).waitFor();
    await page.getByText('Not saved').waitFor();

    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Workflow saved').first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Tags' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
  });

  test('loads at most 300 kB before the first page', async () => {
    const tab = await openTab({ isNew: true });
    const sizes: number[] = [];
    tab.page.on('requestfinished', async (request) => {
      if (!request.url().includes('/api/')) sizes.push((await request.sizes()).responseBodySize);
    });
    await tab.open('/executions');
    await tab.page.getByRole('table').waitFor();
    await eventually(async () => sizes.length > 3);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(300_000);
  });
});

describe('the overview', () => {
  test('shows figures about executions and what needs attention', async () => {
    const orders = await createOrders(service);
    await startRun(service, await createWaiting(service));
    for (let count = 0; count < 3; count += 1) await runAndEnd(service, orders);
    const page = await open('/?range=1h');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('Order intake fails.').waitFor();
    await page.getByRole('img', { name: 'Executions over time, by result' }).waitFor();
    await page
      .getByRole('link', { name: /^Waiting/ })
      .getByText('1')
      .waitFor();
    await page.getByRole('rowheader').first().waitFor();
    await attention.getByRole('link', { name: /^Show/ }).first().click();
    await page.waitForURL('**/executions?*status=error*');
  });

  test('looks right and is accessible', async () => {
    const ready = (page: Page) => page.getByRole('img', { name: 'Duration of executions' }).waitFor();
    await inspect({ name: 'overview', path: '/?range=1h', ready });
  });
});
