import { createServer } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import { eventually } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';

const { service, open, inspect } = await startDashboard({ SSRF_ALLOW: '127.0.0.1/32' });

const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']));
  response.end();
});
const target = await listening(receiver);
afterAll(() => target?.close());

async function chooseFor(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('an event subscription is created, tested, changed, and deleted', async () => {
  const page = await open('/event-subscriptions');
  await page.getByRole('button', { name: 'New subscription' }).first().click();
  await page.keyboard.type('Alerts');
  await page.getByLabel('URL').fill(`${target.url}/events`);
  await page.getByRole('checkbox', { name: 'An execution crashes' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  const secret = page.locator('.secret-once code');
  expect(await secret.textContent()).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const { body: stored } = await service.call('GET', '/event-subscriptions');
  expect(stored.data).toMatchObject([{ name: 'Alerts', events: ['execution.failed'], active: true }]);

  await page.getByRole('row').filter({ hasText: 'Alerts' }).press('Enter');
  const deliveries = page.getByRole('dialog', { name: 'Deliveries of “Alerts”' });
  await deliveries.getByText('Nothing was sent yet').waitFor();
  await deliveries.getByRole('button', { name: 'Send a test event' }).click();
  await deliveries.getByText('delivered').waitFor();
  expect(received).toHaveLength(1);
  await deliveries.getByRole('button', { name: 'Send again' }).click();
  await eventually(async () => received.length > 1 && new Set(received).size === 1);
  await deliveries.getByRole('button', { name: 'Close' }).last().click();

  await chooseFor(page, 'Alerts', 'Change');
  await page.getByRole('switch').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Inactive').waitFor();
  await chooseFor(page, 'Alerts', 'Replace the secret');
  await page.getByRole('button', { name: 'Replace' }).click();
  await secret.waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await chooseFor(page, 'Alerts', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No event subscriptions yet').waitFor();
});

test('the page looks right and is accessible', async () => {
  await service.call('POST', '/event-subscriptions', { name: 'A', url: target.url, events: ['workflow.deleted'] });
  const ready = (page: Page) => page.getByRole('row').nth(1).waitFor();
  await inspect({ name: 'event-subscriptions', path: '/event-subscriptions', ready });
});
