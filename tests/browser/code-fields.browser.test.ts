import { describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { seriousFindings } from './support/browser.ts';
import { startDashboard } from './support/dashboard.ts';
import { nodeOf } from './support/flows.ts';

const { service, open, openTab, inspect } = await startDashboard();

const code = 'const total = items.length;\nreturn [{ json: { total, name: "Ada" } }];';

function createCode(parameters: { jsCode: string } = { jsCode: code }, projectId?: string): Promise<string> {
  const node = aNode({ name: 'Compute', type: 'base.code', typeVersion: 2, parameters });
  return createWorkflow(service, { name: 'Computed', nodes: [node], connections: {}, ...(projectId && { projectId }) });
}

async function openNode(page: Page, name: string) {
  await nodeOf(page, name).click();
  return page.locator('.cm-content');
}

async function codeOf(id: string): Promise<string> {
  return (await service.call('GET', `/workflows/${id}`)).body.nodes[0].parameters.jsCode;
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByText('Workflow saved').first().waitFor();
}

describe('a code field', () => {
  test('keeps typed code after a save and a reload, in colors', async () => {
    const id = await createCode({ jsCode: '' });
    const page = await open(`/workflows/${id}`);
    const editor = await openNode(page, 'Compute');
    await editor.waitFor();
    await page.locator('label', { hasText: 'JavaScript' }).click();
    await page.keyboard.type('if (items.length) {\n');
    await page.keyboard.press('Tab');
    await page.keyboard.type('return "some";\n');
    await save(page);
    const typed = await codeOf(id);
    expect(typed).toContain('return "some";');
    await page.reload();
    await openNode(page, 'Compute');
    await editor.getByText('return "some";').waitFor();
    await page.locator('.cm-line span').nth(2).waitFor();
    const colors = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.cm-line span')].map((span) => getComputedStyle(span).color)`,
    );
    expect(new Set(colors).size).toBeGreaterThan(1);
  });

  test('is left by Escape and Tab, has a name and a hint, and is undone by key', async () => {
    const id = await createCode({ jsCode: 'a' });
    const page = await open(`/workflows/${id}`);
    await openNode(page, 'Compute');
    const editor = page.getByRole('textbox', { name: 'JavaScript' });
    await editor.and(page.locator('.cm-content')).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Tab');
    await page.keyboard.type('b');
    expect(await editor.textContent()).toBe('  ab');
    await page.getByText('press Escape, then Tab').waitFor({ state: 'visible' });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await editor.textContent()).toBe('a');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'JavaScript: expression ƒx' }).and(page.locator(':focus')).waitFor();
    expect(await editor.textContent()).toBe('a');
  });

  test('follows an undo of the workflow', async () => {
    const page = await open(`/workflows/${await createCode()}`);
    const editor = await openNode(page, 'Compute');
    await editor.press('Control+a');
    await page.keyboard.press('Delete'); // Chromium copies colors of text that it replaces, which the policy forbids.
    await page.keyboard.type('return [];');
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await editor.getByText('const total = items.length;').waitFor();
  });

  test('is a text area until the editor is loaded, which continues at the caret', async () => {
    const id = await createCode({ jsCode: '' });
    const { page, open: go } = await openTab({ isNew: true });
    const loaded = Promise.withResolvers<void>();
    await page.route('**/assets/code-editor*', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await go(`/workflows/${id}`);
    await nodeOf(page, 'Compute').click();
    await page.locator('textarea').focus();
    await page.keyboard.type('return ;');
    await page.keyboard.press('ArrowLeft');
    loaded.resolve();
    await page.locator('.cm-content:focus').waitFor();
    await page.keyboard.type('[]');
    await save(page);
    expect(await codeOf(id)).toBe('return [];');
  });

  test('keeps the order of the keys that are typed while the editor is loaded', async () => {
    const { page, open: go } = await openTab({ isNew: true });
    const loaded = Promise.withResolvers<void>();
    await page.route('**/assets/code-editor*', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await go(`/workflows/${await createCode({ jsCode: '' })}`);
    await nodeOf(page, 'Compute').click();
    await page.locator('textarea').focus();
    const typed = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
    const typing = page.keyboard.type(typed, { delay: 3 });
    loaded.resolve();
    await typing;
    await page.locator('.cm-content:focus').waitFor();
    expect(await page.locator('.cm-content').textContent()).toBe(typed);
  });

  test('is a text area if the editor cannot be loaded', async () => {
    const id = await createCode({ jsCode: '' });
    const { page, open: go } = await openTab({ isNew: true });
    const failed = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/assets/code-editor*', async (route) => {
      await route.abort();
      requests += 1;
      if (requests === 2) failed.resolve();
    });
    await go(`/workflows/${id}`);
    await nodeOf(page, 'Compute').click();
    await failed.promise;
    await page.getByLabel('JavaScript', { exact: true }).fill('return [];');
    await save(page);
    expect(await codeOf(id)).toBe('return [];');
  });

  test('marks text that is not JSON', async () => {
    const node = aNode({ name: 'Insert', type: 'base.postgres', typeVersion: 2.6, parameters: { operation: 'insert' } });
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Sent', nodes: [node], connections: {} })}`);
    await openNode(page, 'Insert');
    const editor = page.locator('.cm-content').and(page.getByLabel('Columns', { exact: true }));
    await editor.fill('{ "value":');
    await page.getByText('Not JSON yet').waitFor();
    expect(await editor.getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.type(' 1 }');
    await page.getByText('Not JSON yet').waitFor({ state: 'detached' });
    expect(await editor.getAttribute('aria-invalid')).toBeNull();
    // the text is formatted when it is left
    await editor.blur();
    await editor.getByText(/^ {2}"value": 1$/).waitFor();
  });

  test('searches', async () => {
    const page = await open(`/workflows/${await createCode()}`);
    const editor = await openNode(page, 'Compute');
    await editor.focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('total');
    await page.locator('.cm-searchMatch').nth(1).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.cm-content:focus').waitFor();
  });

  test('can be read and reached, but not changed, by a viewer', async () => {
    const { body: project } = await service.call('POST', '/projects', { name: 'Read' });
    const email = 'reader@example.com';
    const { body: user } = await service.call('POST', '/users', { email, role: 'member', createApiKey: true });
    await service.call('POST', `/projects/${project.id}/members`, { email, role: 'project:viewer' });
    const id = await createCode({ jsCode: code }, project.id);
    const page = await open(`/workflows/${id}`, { signedIn: false });
    await page.getByLabel('API key').fill(user.rawApiKey);
    await page.keyboard.press('Enter');
    await page.getByText('Read only').waitFor();
    const editor = await openNode(page, 'Compute');
    await editor.and(page.locator('[aria-readonly=true]')).focus();
    await page.keyboard.type('x');
    expect(await editor.textContent()).not.toContain('x');
    await page.keyboard.press('Tab');
    expect(await editor.and(page.locator(':focus')).count()).toBe(0);
  });

  test('looks right and is accessible', async () => {
    const id = await createCode();
    const ready = async (page: Page) => {
      const editor = await openNode(page, 'Compute');
      await editor.locator('span').first().waitFor();
      await editor.focus();
    };
    await inspect({ name: 'code-field', path: `/workflows/${id}`, ready });
  });
});
