import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import { eventually } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';

const { service, open, inspect } = await startDashboard({ SSRF_ALLOW: '127.0.0.1' });

// A service that accepts one token.
const server = createServer((request, response) => {
  response.statusCode = request.headers['x-token'] === 'right' ? 200 : 401;
  response.end();
});
const target = await listening(server);
afterAll(() => target?.close());

async function store(name: string): Promise<string> {
  const data = { name: 'X-Token', value: 'right', testUrl: `${target.url}/` };
  const { body } = await service.call('POST', '/credentials', { name, type: 'httpHeaderAuth', data });
  return body.id;
}

describe('credentials', () => {
  test('are created with the fields of a type, and missing fields are named', async () => {
    const page = await open('/credentials');
    await page.getByRole('link', { name: 'New credential' }).first().click();
    await page.getByLabel('Search types').fill('header');
    await page.getByRole('link', { name: /^Header Auth/ }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('This is required.').first().waitFor();
    expect((await service.call('GET', '/credentials')).body).toHaveLength(0);

    await page.locator('input[name=name]').fill('X-Token');
    await page.locator('input[name=value]').fill('top-secret-value');
    await page.getByRole('link', { name: 'Another type' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
    await page.locator('select[name=allowedHttpRequestDomains]').selectOption('domains');
    await page.locator('input[name=allowedDomains]').fill('api.example.com');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Header Auth', exact: true }).waitFor();
    expect(await page.locator('input[name=value]').getAttribute('placeholder')).toMatch(/^Stored/);
    expect(await page.content()).not.toContain('top-secret-value');
  });

  test('are tested, and keep the stored secret if the field is left empty', async () => {
    const id = await store('Token');
    const page = await open(`/credentials/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.locator('.test-result[data-tone=success]').waitFor();

    await page.getByRole('textbox', { name: 'Name' }).first().fill('Token of the shop');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Token of the shop' }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.locator('.test-result[data-tone=success]').waitFor();

    await page.locator('input[name=value]').fill('wrong');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.locator('.test-result[data-tone=error]').waitFor();
  });

  test('have a code editor for JSON, which does not show what is stored', async () => {
    const page = await open('/credentials/new?type=httpCustomAuth');
    const editor = page.locator('.cm-content').and(page.getByLabel('JSON'));
    await editor.fill('{\n  "headers": { "X-Token": "right" }\n}');
    await page.locator('input[name=testUrl]').fill(`${target.url}/`);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Custom Auth', exact: true }).waitFor();
    await editor.getByText('Stored. Leave empty to keep it.').waitFor();
    expect(await page.content()).not.toContain('X-Token');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.locator('.test-result[data-tone=success]').waitFor();
  });

  test('keep unsaved input while another setting of the credential is saved, here or elsewhere', async () => {
    const id = await store('Typed');
    const page = await open(`/credentials/${id}`);
    const secret = page.locator('input[name=value]');
    await secret.fill('not saved yet');
    await page.getByLabel('Executions at once').fill('4');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved').first().waitFor();
    await page.getByRole('button', { name: 'Save limits' }).waitFor({ state: 'detached' });
    expect(await secret.inputValue()).toBe('not saved yet');

    await service.call('PATCH', `/credentials/${id}`, { concurrency: 5 });
    await eventually(async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`); // reloads data that is older than a few seconds
      return (await page.getByLabel('Executions at once').inputValue()) === '5';
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Credential saved').first().waitFor();
    expect((await service.call('GET', `/credentials/${id}`)).body.concurrency).toBe(5);
  });

  test('can be limited, shared, transferred, and deleted', async () => {
    const id = await store('Moved');
    const { body: project } = await service.call('POST', '/projects', { name: 'Shop' });
    const page = await open(`/credentials/${id}`);
    await page.getByLabel('Executions at once').fill('3');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved').first().waitFor();
    expect((await service.call('GET', `/credentials/${id}`)).body.concurrency).toBe(3);

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog').getByLabel('Shop').click();
    await page.getByRole('button', { name: 'Share with one project' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await service.call('GET', `/credentials/${id}`)).body.sharedWithIds).toEqual([project.id]);

    await page.reload();
    await page.getByRole('button', { name: 'Share' }).click();
    expect(await page.getByRole('dialog').getByLabel('Shop').isChecked()).toBe(true);
    await page.getByRole('dialog').getByLabel('Shop').click();
    await page.getByRole('button', { name: 'End all shares' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await service.call('GET', `/credentials/${id}`)).body.sharedWithIds).toEqual([]);

    await page.getByRole('button', { name: 'Transfer' }).click();
    await page.getByRole('dialog').getByLabel('Project').selectOption({ label: 'Shop' });
    await page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await service.call('GET', `/credentials/${id}`)).body.projectId).toBe(project.id);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/credentials');
    expect((await service.call('GET', `/credentials/${id}`)).status).toBe(404);
  });

  test('look right and are accessible', async () => {
    const id = await store('Inspected');
    const ready = (page: Page) => page.getByRole('row').nth(1).waitFor();
    await inspect({ name: 'credentials', path: '/credentials', ready });
    const form = (page: Page) => page.locator('input[name=value]').waitFor();
    await inspect({ name: 'credential', path: `/credentials/${id}`, ready: form });
    const tile = (page: Page) => page.getByRole('link', { name: /^Header Auth/ }).waitFor();
    await inspect({ name: 'credential-types', path: '/credentials/new', ready: tile });
  });
});
