import { describe, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { callApi } from '../e2e/harness.ts';
import { startDashboard } from './support/dashboard.ts';

const { service, open, inspect } = await startDashboard();

const firstRow = (page: Page) => page.getByRole('row').nth(1).waitFor();

async function chooseFor(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function createKey(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('button', { name: 'Create key' }).click();
}

describe('API keys', () => {
  test('are created with scopes, shown once, and revoked', async () => {
    const page = await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Label').fill('CI');
    await page.getByRole('button', { name: 'Read only' }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.secret-once code').textContent()) as string;
    const withKey = () => fetch(`${service.url}/api/v1/workflows`, { headers: { 'x-service-api-key': key } });
    expect((await withKey()).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('row').filter({ hasText: 'CI' }).waitFor();
    expect(await page.content()).not.toContain(key);

    await chooseFor(page, 'CI', 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row').filter({ hasText: 'CI' }).waitFor({ state: 'detached' });
    await eventually(async () => (await withKey()).status === 403);
  });

  test('can be copied if the browser has no clipboard API, as at a LAN address', async () => {
    const page = await open('/keys');
    await page.evaluate(`
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.addEventListener('copy', ({ target }) => void (document.title = target.value ?? 'nothing'));
    `);
    await createKey(page, 'LAN');
    await page.getByRole('button', { name: 'Copy: API key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.title()).toBe(await page.locator('.secret-once code').textContent());
  });

  test('stay visible after a click outside the dialog', async () => {
    const page = await open('/keys');
    await createKey(page, 'Beside');
    await page.getByRole('button', { name: 'Copy: API key' }).waitFor();
    await page.mouse.click(5, 5);
    await page.getByRole('button', { name: 'Copy: API key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  });

  test('appear even if the user closes the dialog during the request', async () => {
    const page = await open('/keys');
    const answers = Promise.withResolvers<void>();
    await page.route('**/api/v1/api-keys', async (route) => {
      if (route.request().method() === 'POST') await answers.promise;
      await route.continue();
    });
    await createKey(page, 'Slow');
    await page.getByRole('button', { name: 'Create key', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    answers.resolve();
    await page.locator('.secret-once code').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('look right and are accessible', async () => {
    await inspect({ name: 'keys', path: '/keys', ready: firstRow });
  });
});

describe('users, projects, and tags', () => {
  test('a new user is created and added to a project, with the keyboard in text fields', async () => {
    const users = await open('/users');
    await users.getByRole('button', { name: 'New user' }).click();
    await users.keyboard.type('ann@example.com');
    await users.keyboard.press('Enter');
    await users.locator('.secret-once code').waitFor();

    const page = await open('/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.keyboard.type('Shop');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.keyboard.type('ann@example.com');
    await page.keyboard.press('Enter');
    const role = page.getByLabel('Role of ann@example.com');
    await role.selectOption('project:viewer');
    await page.getByText('ann@example.com is now viewer').first().waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { body: members } = await service.call('GET', `/projects/${id}/members`);
    expect(members).toContainEqual(expect.objectContaining({ email: 'ann@example.com', role: 'project:viewer' }));

    await page.getByRole('button', { name: 'Remove ann@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await role.waitFor({ state: 'detached' });
    await inspect({
      name: 'project',
      path: `/projects/${id}`,
      ready: (opened) => opened.getByText('owner@localhost').first().waitFor(),
    });
  });

  test('shortcut keys do not close an open dialog', async () => {
    const page = await open('/users');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('typed@example.com');
    await page.getByRole('checkbox').focus();
    await page.keyboard.type('gk');
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('typed@example.com');
  });

  test('the Back button discards input in a dialog only after confirmation', async () => {
    const page = await open('/projects');
    await page.getByRole('link', { name: 'Users' }).click();
    const create = page.getByRole('button', { name: 'New user' });
    await create.click();
    const email = page.getByRole('textbox', { name: 'Email' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await email.fill('kept@example.com');
    await page.goBack();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect([await email.inputValue(), new URL(page.url()).pathname]).toEqual(['kept@example.com', '/users']);
    await page.goBack();
    await question.getByRole('button', { name: 'Discard the changes' }).click();
    await page.waitForURL('**/projects');

    await page.goForward();
    await create.click();
    await page.goBack();
    await page.waitForURL('**/projects');
  });

  test('input in a dialog is discarded only after confirmation', async () => {
    const page = await open('/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const [form, email] = [page.getByRole('dialog', { name: 'New user' }), page.getByRole('textbox', { name: 'Email' })];
    const question = page.getByRole('dialog', { name: 'Close without saving?' });
    await email.fill('kept@example.com');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await email.inputValue()).toBe('kept@example.com');
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Discard the changes' }).click();
    await form.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('checkbox').click();
    await page.keyboard.press('Escape');
    await question.locator('button:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox').click();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(await question.count()).toBe(0);
  });

  test('an owner administers a project of another user', async () => {
    const { body: user } = await service.call('POST', '/users', {
      email: 'bob@example.com',
      role: 'admin',
      createApiKey: true,
    });
    const { body: project } = await callApi(service.url, user.rawApiKey, {
      method: 'POST',
      path: '/projects',
      body: { name: 'Of Bob' },
    });
    const page = await open(`/projects/${project.id}`);
    await page.getByLabel('Executions at once').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Project saved').first().waitFor();
    await page.getByRole('button', { name: 'Remove bob@example.com' }).waitFor();
  });

  test('changes of a project are discarded only after confirmation', async () => {
    const { body: project } = await service.call('POST', '/projects', { name: 'Kept' });
    const page = await open(`/projects/${project.id}`);
    await page.getByLabel('Executions at once').fill('3');
    await page.getByRole('link', { name: 'All projects' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Executions at once').inputValue()).toBe('3');

    page.once('dialog', (question) => void question.dismiss());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'All projects' }).click();
    await dialog.getByRole('button', { name: 'Discard the changes' }).click();
    await page.waitForURL('**/projects');
  });

  test('a tag is created, renamed, and deleted; a name that is taken shows the error of the API', async () => {
    const page = await open('/tags');
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New tag' }).first().click();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
    };
    await create('orders');
    await page.getByRole('row').filter({ hasText: 'orders' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await create('orders');
    await page.getByRole('dialog').getByRole('alert').locator('code').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    const row = page.getByRole('row').filter({ hasText: 'orders' });
    await row.getByRole('button', { name: 'Actions for orders' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('ArrowDown');
    await page.locator('[role=menuitem]:focus', { hasText: 'Delete' }).press('Escape');
    await row.locator('button:focus').waitFor();

    await chooseFor(page, 'orders', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'shop' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await chooseFor(page, 'shop', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No tags yet').waitFor();
  });

  test('look right and are accessible', async () => {
    await inspect({ name: 'users', path: '/users', ready: firstRow });
    await inspect({ name: 'projects', path: '/projects', ready: firstRow });
    const button = (page: Page) => page.getByRole('button', { name: 'New tag' }).first().waitFor();
    await inspect({ name: 'tags', path: '/tags', ready: button });
  });
});

describe('node types', () => {
  test('can be searched, and describe each version', async () => {
    const page = await open('/node-types');
    const search = page.getByLabel('Search node types');
    await search.pressSequentially('bf');
    await search.press('ArrowLeft');
    await search.pressSequentially('ase.i');
    expect(await search.inputValue()).toBe('base.if');
    await page.getByRole('link', { name: 'If', exact: true }).click();
    await page.getByRole('heading', { name: 'If', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Example' }).waitFor();
    await page.getByLabel('Version').selectOption('1');
    await page.waitForURL('**/node-types/base.if?version=1');
    await page.getByText('combineOperation').waitFor();
    expect(await page.getByLabel('Node as JSON', { exact: true }).textContent()).toContain('"typeVersion": 1');
  });

  test('look right and are accessible', async () => {
    await inspect({ name: 'node-types', path: '/node-types', ready: firstRow });
    const ready = (page: Page) => page.getByRole('heading', { name: 'If', level: 1 }).waitFor();
    await inspect({ name: 'node-type', path: '/node-types/base.if', ready });
    const packages = (page: Page) => page.getByText('No packages are installed').waitFor();
    await inspect({ name: 'packages', path: '/packages', ready: packages });
  });
});
