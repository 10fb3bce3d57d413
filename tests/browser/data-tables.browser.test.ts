import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startDashboard } from './support/dashboard.ts';

const { service, open, inspect } = await startDashboard();

const rowOf = (index: number) => ({
  email: `customer_${index}@example.com`,
  age: 20 + (index % 50),
  active: index % 3 === 0,
  seen: new Date(Date.UTC(2026, 10, 1, index)).toISOString(),
});
const columns = [
  { name: 'email', type: 'string' },
  { name: 'age', type: 'number' },
  { name: 'active', type: 'boolean' },
  { name: 'seen', type: 'date' },
];
const customers = (await service.call('POST', '/data-tables', { name: 'Customers', columns })).body.id;
for (const from of [0, 200]) {
  const data = Array.from({ length: 200 }, (_, index) => rowOf(from + index));
  await service.call('POST', `/data-tables/${customers}/rows`, { data });
}

const cell = (page: Page, text: string) => page.getByRole('cell', { name: text, exact: true });
const rows = async (id: string) => (await service.call('GET', `/data-tables/${id}/rows`)).body.data;

describe('data tables', () => {
  test('a long string can be typed without losing focus', async () => {
    const page = await open(`/data-tables/${customers}`);
    await page.getByRole('button', { name: 'Add row' }).first().click();
    await page.getByLabel('email', { exact: true }).click();
    await page.keyboard.type('x'.repeat(80));
    expect(await page.getByLabel('email', { exact: true }).inputValue()).toHaveLength(80);
  });

  test('are created with columns, and rows are added with the keyboard', async () => {
    const page = await open('/data-tables');
    await page.getByRole('button', { name: 'New table' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Seen orders');
    await page.getByLabel('Name of column 1').fill('order');
    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByLabel('Name of column 2').fill('total');
    await page.getByLabel('Type of column 2').selectOption({ label: 'Number' });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Seen orders' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByRole('button', { name: 'Add row' }).first().click();
    await page.getByLabel('order', { exact: true }).fill('A-1');
    await page.getByLabel('total', { exact: true }).fill('7.5');
    await page.keyboard.press('Enter');
    await cell(page, 'A-1').click();
    await page.getByLabel('total', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await cell(page, '–').waitFor();
    expect(await rows(id)).toMatchObject([{ order: 'A-1', total: null }]);

    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('not valid');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('must start with a letter').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('paid');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'paid' }).waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete the table' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/data-tables');
    await page.getByRole('link', { name: 'Customers' }).waitFor();
    expect((await service.call('GET', `/data-tables/${id}`)).status).toBe(404);
  });

  test('keep values that a workflow wrote to other cells of an edited row', async () => {
    const columns = [
      { name: 'order', type: 'string' },
      { name: 'total', type: 'number' },
      { name: 'paidAt', type: 'date' },
    ];
    const { body: table } = await service.call('POST', '/data-tables', { name: 'Paid orders', columns });
    const paidAt = '2026-11-01T10:20:30.456Z';
    await service.call('POST', `/data-tables/${table.id}/rows`, { data: [{ order: 'B-1', total: 1, paidAt }] });
    const page = await open(`/data-tables/${table.id}`);
    await cell(page, 'B-1').click();
    await page.getByLabel('order', { exact: true }).fill('B-2');
    const filter = { type: 'and', filters: [{ columnName: 'order', condition: 'eq', value: 'B-1' }] };
    await service.call('PATCH', `/data-tables/${table.id}/rows`, { filter, data: { total: 2 } });
    await page.getByRole('button', { name: 'Save' }).click();
    await cell(page, 'B-2').waitFor();
    expect(await rows(table.id)).toMatchObject([{ order: 'B-2', total: 2, paidAt }]);
  });

  test('keep filter and order in the URL, and search literally', async () => {
    const page = await open(`/data-tables/${customers}`);
    await cell(page, 'customer_0@example.com').waitFor();
    await page.getByLabel('Column of the filter').selectOption('email');
    await page.getByLabel('Condition of the filter').selectOption({ label: 'contains' });
    await page.getByLabel('Value of the filter').fill('r_12');
    await page.waitForURL('**value=r_12*');
    await cell(page, 'customer_0@example.com').waitFor({ state: 'detached' });
    await cell(page, 'customer_120@example.com').waitFor();
    await page.getByLabel('Value of the filter').fill('customer%');
    await page.getByText('No row matches the filter').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('button', { name: 'age', exact: true }).click();
    await page.getByRole('button', { name: 'age' }).first().click();
    await page.waitForURL('**sort=age%3Adesc*');
    await page.getByRole('row').nth(1).getByText('69', { exact: true }).waitFor();
  });

  test('delete the rows of a filter after confirmation', async () => {
    const page = await open(`/data-tables/${customers}?column=age&condition=gt&value=60`);
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete the filtered rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('72 rows deleted').first().waitFor();
    expect((await service.call('GET', `/data-tables/${customers}`)).body.rowCount).toBe(328);
  });

  test('look right and are accessible', async () => {
    const link = (page: Page) => page.getByRole('link', { name: 'Customers' }).waitFor();
    await inspect({ name: 'data-tables', path: '/data-tables', ready: link });
    const ready = (page: Page) => cell(page, 'customer_0@example.com').waitFor();
    await inspect({ name: 'data-table', path: `/data-tables/${customers}`, ready });
  });
});
