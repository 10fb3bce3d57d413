import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';

const { service, open, inspect } = await startDashboard();

describe('the audit log', () => {
  test('can be filtered by the object of an entry, and keeps the filter in the URL', async () => {
    await service.call('POST', '/tags', { name: 'first' });
    const { body: second } = await service.call('POST', '/tags', { name: 'second' });
    const page = await open('/audit');
    const created = page.getByRole('row').filter({ hasText: 'tag.create' });
    await created.filter({ hasText: 'first' }).waitFor();
    await created.filter({ hasText: 'second' }).click();
    await page.getByRole('dialog').getByText(second.id).waitFor();
    await page.getByRole('button', { name: 'Same object' }).click();
    await page.waitForURL(`**/audit?object=${second.id}`);
    await created.filter({ hasText: 'first' }).waitFor({ state: 'detached' });
    await created.filter({ hasText: 'second' }).waitFor();
    expect(await created.count()).toBe(1);

    await page.getByLabel('Object: type, ID, or name').fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches the filter').waitFor();
  });

  test('looks right and is accessible', async () => {
    const firstRow = (page: Page) => page.getByRole('row').nth(1).waitFor();
    await inspect({ name: 'audit', path: '/audit', ready: firstRow });
  });
});
