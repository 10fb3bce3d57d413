import { describe, expect, test } from '@jest/globals';
import { aNode } from '@sluice/test-support';
import { createWorkflow } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf } from './support/flows.ts';

const { service, open } = await startDashboard();

const orders = await createOrders(service);

describe('changes in the editor', () => {
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
    await page.getByText('Unsaved changes restored').first().waitFor();
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

  test('restores unsaved changes after a reload, but not after they are saved, undone, or abandoned', async () => {
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
    await page.getByText('Unsaved changes restored').first().waitFor();
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
});
