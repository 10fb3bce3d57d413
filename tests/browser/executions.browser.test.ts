import { describe, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import type { Page } from 'playwright-core';
import { queryDatabase } from '../e2e/support/database.ts';
import { createWorkflow, startRun } from '../e2e/support/runs.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, createWaiting, nodeOf, runAndEnd } from './support/flows.ts';
import { manyExecutions } from './support/many-executions.ts';

const { service, open, openTab, inspect } = await startDashboard();

const orders = await createOrders(service);

/** CPU milliseconds per frame while the list scrolls down. */
async function frameCost(page: Page): Promise<number> {
  const frames = 40;
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const scroll = () =>
    page.evaluate(`(async () => {
      const table = document.querySelector('[role=table]');
      table.scrollTop = 0;
      for (let frame = 0; frame < ${frames}; frame += 1) {
        table.scrollTop += 40;
        await new Promise(requestAnimationFrame);
      }
    })()`);
  const taskSeconds = async () =>
    (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  await scroll();
  const before = await taskSeconds();
  await scroll();
  return ((await taskSeconds()) - before) * (1000 / frames);
}

const rowOf = (page: Page, id: string) =>
  page.getByRole('row').filter({ has: page.locator('.mono', { hasText: new RegExp(`^${id}$`) }) });

describe('the list', () => {
  test('shows a new execution and its end without a reload', async () => {
    const page = await open('/executions');
    await page.getByText('Nothing has run yet').waitFor();
    const id = await runAndEnd(service, orders);
    await rowOf(page, id).getByText('Failed').waitFor();
    await rowOf(page, id).getByText('The card of customer 5 was declined').waitFor();
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('2');
  });

  test('reloads only when something changes, and polls if there are no events', async () => {
    const page = await open('/executions');
    let reads = 0;
    page.on('request', (request) => {
      reads += Number(request.url().includes('/api/v1/executions?'));
    });
    const stream = page.waitForResponse((response) => response.url().endsWith('/api/v1/events'));
    await page.reload();
    await stream;
    const id = await startRun(service, await createWaiting(service));
    await rowOf(page, id).getByText('Waiting').waitFor();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    reads = 0;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(reads).toBe(0);

    await page.route('**/api/v1/events', (route) => route.abort());
    await page.reload();
    await rowOf(page, id).waitFor();
    await service.call('POST', `/executions/${id}/stop`);
    await rowOf(page, id).getByText('Canceled').waitFor();
  });

  test('keeps its filter in the URL and restores it from there', async () => {
    const page = await open('/executions');
    await page.getByRole('button', { name: 'Success' }).click();
    await page.getByText('No execution matches the filter').waitFor();
    expect(page.url()).toBe(`${service.url}/executions?status=success`);

    await page.goto(`${service.url}/executions?status=error&workflowId=${orders}`);
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'Failed' }).getAttribute('aria-pressed')).toBe('true');
    const waiting = await createWorkflow(service, { name: 'Approval by phone', nodes: [], connections: {} });
    await page.getByRole('button', { name: 'Workflow: Order intake' }).click();
    await page.getByPlaceholder('Search', { exact: true }).fill('by phone');
    await page.getByRole('option', { name: 'Order intake' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Approval by phone' }).click();
    await page.waitForURL(`**/executions?status=error&workflowId=${waiting}`);
  });

  test('a workflow is chosen by typing its name and Enter, however fast', async () => {
    const page = await open('/executions');
    await page.getByRole('button', { name: 'Workflow: All workflows' }).click();
    await page.getByRole('option', { name: 'Order intake' }).waitFor();
    await page.getByPlaceholder('Search', { exact: true }).fill('order');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/executions?workflowId=${orders}`);
  });

  test('saves a named view', async () => {
    const page = await open('/executions?status=crashed');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByLabel('Name').fill('Crashes');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Crashes' }).click();
    await page.waitForURL('**/executions?status=crashed');
  });

  test('opens an execution with the keyboard', async () => {
    const id = await runAndEnd(service, orders);
    const page = await open('/executions');
    await rowOf(page, id).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/executions/${id}`);
  });

  test('opens the focused row even if new rows have moved it', async () => {
    const focused = await runAndEnd(service, orders);
    const page = await open('/executions');
    const row = rowOf(page, focused);
    await row.focus();
    const newer = await runAndEnd(service, orders);
    await page.getByRole('cell', { name: newer, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/executions/${focused}`);
  });

  test('stops, retries, and deletes an execution', async () => {
    const id = await startRun(service, await createWaiting(service));
    const page = await open('/executions');
    const choose = async (row: string, action: string) => {
      await page.getByRole('button', { name: `Actions for execution ${row}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await rowOf(page, id).getByText('Waiting').waitFor();
    await choose(id, 'Stop');
    await rowOf(page, id).getByText('Canceled').waitFor();

    await choose(id, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rowOf(page, id).waitFor({ state: 'detached' });
    expect((await service.call('GET', `/executions/${id}`)).status).toBe(404);

    const failed = await runAndEnd(service, orders);
    await rowOf(page, failed).getByText('Failed').waitFor();
    await choose(failed, 'Retry');
    await page.waitForURL((url) => url.pathname.startsWith('/executions/') && !url.pathname.endsWith(`/${failed}`));
  });

  test('stops and deletes many executions after showing their number', async () => {
    const waiting = await createWaiting(service);
    const ids = await Promise.all([1, 2, 3].map(() => startRun(service, waiting)));
    const page = await open(`/executions?workflowId=${waiting}`);
    await rowOf(page, ids[2] as string)
      .getByText('Waiting')
      .waitFor();

    await page.getByRole('button', { name: 'Stop many' }).click();
    await page.getByRole('dialog').getByText('3', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop 3' }).click();
    await page.getByText('3 executions stopped').first().waitFor();
    for (const id of ids) await rowOf(page, id).getByText('Canceled').waitFor();

    // Simulates a replica that still lists deleted executions for a while.
    let older: string | undefined;
    let isStale = true;
    await page.route(/\/executions\?.*limit=250/, async (route) => {
      if (older !== undefined && isStale) {
        isStale = false;
        return route.fulfill({ contentType: 'application/json', body: older });
      }
      const response = await route.fetch();
      older ??= await response.text();
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Delete many' }).click();
    await page.getByRole('button', { name: 'Delete 3' }).click();
    await page.getByText('3 executions deleted').first().waitFor();
    const remaining = await service.call('GET', `/executions?workflowId=${waiting}`);
    expect(remaining.body.data).toEqual([]);
  });

  test('scrolls through 100,000 rows: a frame renders only rows that come into view, at the same cost as for 300 rows', async () => {
    const costs: number[] = [];
    for (const count of [300, 100_000]) {
      const tab = await openTab({ isNew: true });
      await tab.page.addInitScript(`(${manyExecutions})(${count})`);
      await tab.open('/executions');
      await tab.page.getByRole('row').nth(5).waitFor();
      costs.push(await frameCost(tab.page));
      await tab.page.evaluate('document.querySelector("[role=table]").scrollTop = 1e9');
      await tab.page.getByText(`Workflow of row ${count}`, { exact: true }).waitFor();
      expect(await tab.page.getByRole('row').count()).toBeLessThan(80);
    }
    const [few = 0, many = 0] = costs;
    expect(many).toBeLessThan(2 * few + 10);
  });

  test('looks right and is accessible', async () => {
    const ready = (page: Page) => page.getByRole('row').nth(2).waitFor();
    await inspect({ name: 'executions', path: '/executions', ready });
  });
});

describe('the page of an execution', () => {
  test('shows the data of a node under a very long error', async () => {
    const jsCode = `throw new Error('A page of HTML\\n'.repeat(200))`;
    const nodes = [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Fail', type: 'base.code', typeVersion: 2, parameters: { jsCode }, position: [240, 0] }),
    ];
    const connections = { Start: { main: [[{ node: 'Fail', type: 'main', index: 0 }]] } };
    const id = await runAndEnd(service, await createWorkflow(service, { name: 'Long error', nodes, connections }));
    const page = await open(`/executions/${id}`);
    const panel = page.getByRole('region', { name: 'Node Fail' });
    await panel.waitFor();
    expect((await panel.boundingBox())?.height).toBeGreaterThan(200);
  });

  test('shows what failed and why, and retries from the failed node', async () => {
    const id = await runAndEnd(service, orders);
    const page = await open(`/executions/${id}`);
    const failure = page.getByRole('region', { name: 'Failure' });
    await failure.getByText('The card of customer 5 was declined').waitFor();
    await failure.getByRole('button', { name: 'Retry from Charge' }).click();
    await page.waitForURL((url) => url.pathname !== `/executions/${id}`);
    await page.getByRole('link', { name: id, exact: true }).waitFor();
  });

  test('retries only once on a double click', async () => {
    const id = await runAndEnd(service, orders);
    const page = await open(`/executions/${id}`);
    const retries: string[] = [];
    page.on('request', (request) => request.url().endsWith('/retry') && retries.push(request.url()));
    await page.getByRole('button', { name: 'Retry from Charge' }).dblclick();
    await page.waitForURL((url) => url.pathname !== `/executions/${id}`);
    expect(retries).toHaveLength(1);
  });

  test('stops only once on a double click', async () => {
    const page = await open(`/executions/${await startRun(service, await createWaiting(service))}`);
    const stops: string[] = [];
    page.on('request', (request) => request.url().endsWith('/stop') && stops.push(request.url()));
    await page.getByRole('button', { name: 'Stop' }).dblclick();
    await page.getByText('Canceled').first().waitFor();
    expect(stops).toHaveLength(1);
  });

  test('reports that executions to compare could not be loaded', async () => {
    const id = await runAndEnd(service, orders);
    const page = await open(`/executions/${id}`);
    await page.route(/\/executions\?workflowId=.*limit=50/, (route) =>
      route.fulfill({ status: 500, json: { message: 'the list is out of reach', code: 'INTERNAL' } }),
    );
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('alert').getByText('the list is out of reach').waitFor();
  });

  test('shows the items of the selected node as a table, a tree, and a schema', async () => {
    const id = await runAndEnd(service, orders);
    const page = await open(`/executions/${id}`);
    await page.getByRole('button', { name: /^Large\? ?: succeeded, .* 5 items$/ }).click();
    const panel = page.getByRole('region', { name: 'Node Large?' });
    await panel.getByRole('cell', { name: 'Customer 3' }).waitFor();
    await panel.getByRole('button', { name: 'Copy items' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    expect(page.url()).toContain('node=Large');

    await panel.getByLabel('Output: branch').selectOption({ label: 'false (2)' });
    await panel.getByRole('cell', { name: 'Customer 1' }).waitFor();
    await panel.getByRole('tab', { name: 'Input 5' }).click();
    await panel.getByRole('button', { name: 'JSON' }).click();
    await panel.getByRole('treeitem').first().waitFor();
    await panel.getByPlaceholder('Search').fill('customer 4');
    await eventually(async () => (await panel.getByRole('treeitem').count()) === 3);
    await panel.getByPlaceholder('Search').fill('');
    await panel.getByRole('button', { name: 'Schema' }).click();
    await panel.getByText('address').waitFor();
  });

  test('zooms the graph and selects nodes with the keyboard', async () => {
    const page = await open(`/executions/${await runAndEnd(service, orders)}`);
    await nodeOf(page, 'Orders').waitFor();
    const view = page.locator('.react-flow__viewport');
    const zoom = async () => Number(/scale\((.+)\)/.exec((await view.getAttribute('style')) ?? '')?.[1]);
    const before = await zoom();
    await page.getByRole('button', { name: 'Zoom Out' }).press('Enter');
    await eventually(async () => (await zoom()) < before);
    await nodeOf(page, 'Orders').press('Enter');
    await page.getByRole('region', { name: 'Node Orders' }).waitFor();
  });

  test('previews and downloads a file', async () => {
    const toFile = { operation: 'toText', sourceProperty: 'note', options: { fileName: 'note.txt' } };
    const id = await createWorkflow(service, {
      name: 'Files',
      nodes: [
        aNode({
          name: 'Text',
          type: 'base.set',
          typeVersion: 3.4,
          parameters: { mode: 'raw', jsonOutput: '{ "note": "Dear all" }' },
        }),
        aNode({ name: 'File', type: 'base.convert-to-file', typeVersion: 1.1, parameters: toFile }),
      ],
      connections: { Text: { main: [[{ node: 'File', type: 'main', index: 0 }]] } },
    });
    const page = await open(`/executions/${await runAndEnd(service, id)}?node=File`);
    await page.getByRole('button', { name: 'Files' }).click();
    await page.getByText('Dear all').waitFor();
    await page.getByText('text/plain · 8 B').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('note.txt');
  });

  test('shows the graph of a run whose workflow was never saved', async () => {
    const { body } = await service.call('POST', '/workflows', { name: 'Draft', nodes: [], connections: {} });
    const nodes = [aNode({ name: 'Unsaved', type: 'base.manual-trigger' })];
    const { body: run } = await service.call('POST', `/workflows/${body.id}/run`, { workflowData: { nodes, connections: {} } });
    const page = await open(`/executions/${run.executionId}`);
    await page.getByRole('button', { name: /^Unsaved ?: succeeded/ }).waitFor();
    await page.getByText('not saved').waitFor();
  });

  test('follows a run live', async () => {
    const id = await startRun(service, await createWaiting(service));
    const page = await open(`/executions/${id}`);
    await page.getByRole('button', { name: /^After did not run/ }).waitFor();
    await page.getByRole('button', { name: /^Pause ?: waiting/ }).waitFor();
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByRole('button', { name: /^Pause .*waiting/ })
      .waitFor();
    await queryDatabase(service.databaseUrl, 'UPDATE executions SET resume_at = now() WHERE id = $1', [id]);
    await page.getByRole('button', { name: /^After ?: succeeded/ }).waitFor();
    await page.getByRole('main').getByText('Success').first().waitFor();
  });

  test('shows the tries of a node', async () => {
    const jsCode = `throw new Error('not now');`;
    const fetch = { name: 'Fetch', type: 'base.code', typeVersion: 2, parameters: { jsCode } };
    const id = await createWorkflow(service, {
      name: 'Flaky',
      nodes: [aNode({ ...fetch, retryOnFail: true, maxTries: 2, waitBetweenTries: 100 })],
      connections: {},
    });
    const page = await open(`/executions/${await runAndEnd(service, id)}`);
    const row = page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: /^Fetch .* 2 tries/ });
    await row.getByTitle('not now').waitFor({ state: 'attached' });
  });

  test('compares two executions', async () => {
    const [first, second] = [await runAndEnd(service, orders), await runAndEnd(service, orders)];
    const page = await open(`/executions/${second}`);
    await page.getByRole('link', { name: /^Version \d+$/ }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByLabel(`Compare execution ${second} with`).selectOption(first);
    await page.getByRole('region', { name: 'Differences of Orders' }).getByText('$[0][0].total').waitFor();
    await inspect({
      name: 'compare',
      path: `/executions/${second}?compare=${first}`,
      ready: (opened) => opened.getByText('$[0][0].total').waitFor(),
    });
  });

  test('looks right and is accessible', async () => {
    const id = await runAndEnd(service, orders);
    const ready = (page: Page) => page.getByRole('button', { name: /^Charge ?: failed/ }).waitFor();
    await inspect({ name: 'execution-failed', path: `/executions/${id}`, ready });
    const path = `/executions/${id}?node=Orders&tab=output`;
    await inspect({ name: 'execution-node', path, ready });
  });

  test('reports a missing execution with the request ID', async () => {
    const page = await open('/executions/999999');
    const alert = page.getByRole('alert');
    await alert.getByText('NOT_FOUND').waitFor();
    expect(await alert.locator('code').textContent()).toMatch(/^[\w-]{8,}$/);
  });
});
