import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf } from './support/flows.ts';

const { service, open } = await startDashboard();

/** Waits until an element within the locator's matches has the focus. */
const focused = (page: Page, selector: string, hasText?: string) =>
  page.locator(`${selector}:focus`, hasText === undefined ? {} : { hasText }).waitFor();

const withoutDialog = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

test('a closed dialog returns the focus to the button, the row, or the menu that opened it', async () => {
  await service.call('POST', '/tags', { name: 'orders' });
  const page = await open('/tags');
  await page.getByRole('button', { name: 'New tag' }).press('Enter');
  await focused(page, '[role=dialog] input');
  await page.keyboard.press('Escape');
  await focused(page, 'button', 'New tag');

  await page.getByRole('row').filter({ hasText: 'orders' }).press('Enter');
  await focused(page, '[role=dialog] input');
  await page.keyboard.press('Escape');
  await focused(page, '[role=row]', 'orders');

  await page.getByRole('button', { name: 'Actions for orders' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await focused(page, '[role=dialog] button', 'Cancel');
  await page.keyboard.press('Escape');
  await focused(page, '[aria-label="Actions for orders"]');

  await page.keyboard.press('Control+k');
  await focused(page, '[role=dialog] input');
  await page.keyboard.press('Escape');
  await focused(page, '[aria-label="Actions for orders"]');
});

test('a dialog that replaced another one returns the focus to the opener of the first', async () => {
  const page = await open('/keys');
  await page.getByRole('button', { name: 'New key' }).press('Enter');
  await focused(page, '[role=dialog] input');
  await page.keyboard.type('by keys');
  await page.keyboard.press('Enter');
  await focused(page, '[role=dialog] button', 'I have copied it');
  await page.keyboard.press('Enter');
  await focused(page, 'button', 'New key');
});

test('discarded changes of a dialog return the focus to the opener of the dialog', async () => {
  const page = await open('/users');
  await page.getByRole('button', { name: 'New user' }).press('Enter');
  await focused(page, '[role=dialog] input');
  await page.keyboard.type('discarded@example.com');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard the changes' }).press('Enter');
  await focused(page, 'button', 'New user');
});

test('the content of the page has the focus if the opener is gone', async () => {
  await service.call('POST', '/tags', { name: 'short-lived' });
  const page = await open('/tags');
  await page.getByRole('button', { name: 'Actions for short-lived' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await withoutDialog(page);
  await focused(page, '#content');
});

test('Enter leads from a node to its form, and Escape back', async () => {
  const id = await createOrders(service);
  const page = await open(`/workflows/${id}`);
  await nodeOf(page, 'Orders').press('Enter');
  await focused(page, '[aria-label="Node Orders"]');
  await page.keyboard.press('Escape');
  await focused(page, '.react-flow__node[data-id="Orders"]');
  await page.getByRole('region', { name: 'Node Orders' }).waitFor({ state: 'detached' });
});

test('cut nodes can be pasted', async () => {
  const id = await createOrders(service);
  const page = await open(`/workflows/${id}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await nodeOf(page, 'Charge').click();
  await page.keyboard.press('Control+x');
  await nodeOf(page, 'Charge').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+v');
  await nodeOf(page, 'Charge').waitFor();
});

test('the menu of a phone has the focus while it is open, and closes at Escape and when the focus leaves it', async () => {
  const page = await open('/tags');
  await page.setViewportSize({ width: 390, height: 844 });
  const button = page.getByRole('button', { name: 'Menu' });
  await button.press('Enter');
  await focused(page, '.sidebar a');
  await page.keyboard.press('Escape');
  await focused(page, '[aria-label="Menu"]');
  expect(await button.getAttribute('aria-expanded')).toBe('false');

  await button.press('Enter');
  await focused(page, '.sidebar a');
  await page.getByRole('button', { name: 'Sign out' }).press('Tab');
  await page.locator('[aria-label="Menu"][aria-expanded=false]').waitFor();
});

test('the run bar of a phone covers no part of the graph', async () => {
  const id = await createOrders(service);
  await service.call('POST', `/workflows/${id}/run`, {});
  const page = await open(`/workflows/${id}`);
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = await page.locator('.run-bar').boundingBox();
  const graph = await page.locator('.react-flow').boundingBox();
  expect(bar?.y).toBeGreaterThanOrEqual((graph?.y ?? 0) + (graph?.height ?? 0));
});
