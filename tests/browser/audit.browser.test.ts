import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type RunningService, startService } from '../e2e/harness.ts';
import { inspect, launchBrowser, openTab } from './support/browser.ts';

let browser: Browser;
let service: RunningService;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.dispose();
});

describe('the audit log', () => {
  test('is filtered by the object of an entry, in the URL', async () => {
    await service.call('POST', '/tags', { name: 'first' });
    const { body: second } = await service.call('POST', '/tags', { name: 'second' });
    const tab = await openTab(browser, service);
    await tab.open('/audit');
    const { page } = tab;
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
    expect(tab.problems).toEqual([]);
  });

  test('looks right, and is accessible', async () => {
    const firstRow = (page: Page) => page.getByRole('row').nth(1).waitFor();
    await inspect(browser, service, { name: 'audit', path: '/audit', ready: firstRow });
  });
});
