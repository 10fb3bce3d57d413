import { createServer } from 'node:http';
import { afterAll, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import type { Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';
import { nodeOf } from './support/flows.ts';

const { service, open, inspect } = await startDashboard({ SSRF_ALLOW: '127.0.0.1/32' });

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url }));
});
const target = await listening(server);
afterAll(() => target?.close());

async function addStep(page: Page, search: string): Promise<void> {
  await page.getByPlaceholder('Search nodes').fill(search);
  await page.keyboard.press('Enter');
}

test('an empty service offers to create the first workflow', async () => {
  const ready = (page: Page) => page.getByRole('link', { name: 'Create a workflow' }).waitFor();
  await inspect({ name: 'first-overview', path: '/', ready });
});

test('a new user builds, runs, debugs, fixes, retries, and activates a workflow', async () => {
  const page = await open('/', { signedIn: false });
  await page.getByLabel('API key').fill(service.apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Create a workflow' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();

  await page.getByRole('button', { name: /^Webhook/ }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Add a step' }).click();
  await addStep(page, 'set');
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByLabel('Name', { exact: true }).fill('city');
  await page.getByLabel('Value', { exact: true }).fill('Vienna');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Add node' }).click();
  await addStep(page, 'http');
  await page.getByRole('textbox', { name: 'URL' }).fill('not a URL');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const bar = page.locator('.run-bar');
  await bar.getByText('URL').waitFor();
  await page.getByRole('textbox', { name: 'URL' }).fill(`${target.url}/weather`);
  await bar.getByRole('link', { name: /^Execution/ }).click();
  await page.getByRole('button', { name: 'Save and leave' }).click();
  await page.getByRole('region', { name: 'Failure' }).getByText('URL').first().waitFor();
  await page.getByRole('button', { name: /^HTTP Request ?: failed/ }).waitFor();
  await page.getByRole('button', { name: 'Retry with the newest version' }).click();
  await page.getByRole('button', { name: /^HTTP Request ?: succeeded/ }).waitFor();
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await nodeOf(page, 'HTTP Request').click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  for (const name of ['Webhook', 'Edit Fields', 'HTTP Request']) {
    await nodeOf(page, name)
      .getByText(/1 item$/)
      .waitFor();
  }
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByText('/weather').first().waitFor();

  await page.getByRole('switch', { name: 'Activate' }).click();
  await page.getByRole('dialog', { name: 'The workflow is active' }).getByText('/webhook/').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('switch', { name: 'Active' }).waitFor();
  await page.getByRole('link', { name: 'Executions', exact: true }).last().click();
  await page.getByRole('row').nth(2).waitFor();
});

test('an empty canvas looks right and is accessible', async () => {
  const { body } = await service.call('POST', '/workflows', { name: 'Empty', nodes: [], connections: {} });
  const ready = (page: Page) => page.getByRole('button', { name: /^Manual Trigger/ }).waitFor();
  await inspect({ name: 'first-canvas', path: `/workflows/${body.id}`, ready });
});
