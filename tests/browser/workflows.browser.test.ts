import { beforeAll, describe, expect, test } from '@jest/globals';
import { aNode, eventually } from '@sluice/test-support';
import type { Locator, Page } from 'playwright-core';
import { createWorkflow } from '../e2e/support/runs.ts';
import { seriousFindings } from './support/browser.ts';
import { startDashboard } from './support/dashboard.ts';
import { createOrders, nodeOf } from './support/flows.ts';

const { service, open, openTab, inspect } = await startDashboard();

const orders = await createOrders(service);

async function expectWithin(page: Page, locator: Locator): Promise<void> {
  const box = await locator.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 1e9)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

describe('the list', () => {
  test('searches by name and keeps the search in the URL', async () => {
    const page = await open('/workflows');
    await page.getByLabel('Search by name').fill('intake');
    await page.waitForURL('**/workflows?name=intake');
    await page.getByRole('link', { name: 'Order intake' }).waitFor();
    await page.getByLabel('Search by name').fill('nothing like this');
    await page.getByText('No workflow matches the filter').waitFor();
  });

  test('reports that more rows could not be loaded, and retries', async () => {
    const tab = await openTab();
    const { page } = tab;
    let failures = 0;
    await page.route(/\/workflows\?.*limit=100/, async (route) => {
      if (route.request().url().includes('cursor=')) {
        failures += 1;
        await route.fulfill({ status: 500, json: { message: 'the rest is out of reach', code: 'INTERNAL' } });
      } else {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'next' } });
      }
    });
    await tab.open('/workflows');
    await page.getByRole('alert').getByText('the rest is out of reach').waitFor();
    await page.getByRole('row').filter({ hasText: 'Order intake' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => failures === 2);
  });

  test('looks right and is accessible', async () => {
    const ready = (page: Page) => page.getByRole('row').nth(1).waitFor();
    await inspect({ name: 'workflows', path: '/workflows', ready });
  });
});

const file = {
  id: 'of-elsewhere',
  name: 'From a file',
  tags: [{ name: 'other' }],
  nodes: [
    { name: 'Go', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    { name: 'Magic', type: 'n8n-nodes-unknown.magic', typeVersion: 1, position: [220, 0], parameters: {} },
  ],
  connections: { Go: { main: [[{ node: 'Magic', type: 'main', index: 0 }]] } },
};

describe('an import', () => {
  test('of a file creates a workflow and shows warnings', async () => {
    const page = await open('/workflows');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('JSON of the workflow').fill('{"a":1}');
    await dialog.getByText('The JSON has no workflow').waitFor();
    const buffer = Buffer.from(JSON.stringify(file));
    await dialog.getByLabel('File of the workflow').setInputFiles({ name: 'w.json', mimeType: 'application/json', buffer });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('From a file');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('list', { name: 'Warnings' }).getByText('UNKNOWN_NODE_TYPE').waitFor();
    await dialog.getByRole('button', { name: 'Open the workflow' }).click();
    await nodeOf(page, 'Magic').waitFor();
  });

  test('by pasting on the canvas adds the nodes, which a single undo removes', async () => {
    const page = await open(`/workflows/${orders}`);
    await nodeOf(page, 'Join').waitFor();
    const paste = (text: string) =>
      page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }`);
    await paste('no workflow');
    await paste(JSON.stringify(file));
    await page.getByText('2 nodes pasted').first().waitFor();
    await nodeOf(page, 'Magic').waitFor();
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await nodeOf(page, 'Magic').waitFor({ state: 'detached' });
  });
});

test('long names without spaces do not hide buttons', async () => {
  const [start, next, name] = ['S', 'N', 'W'].map((letter) => letter.repeat(100)) as [string, string, string];
  const nodes = [
    aNode({ name: start, type: 'base.manual-trigger' }),
    aNode({ name: next, type: 'base.no-op', position: [240, 0] }),
  ];
  const connections = { [start]: { main: [[{ node: next, type: 'main', index: 0 }]] } };
  const page = await open(`/workflows/${await createWorkflow(service, { name, nodes, connections })}`);
  await nodeOf(page, start).click();
  await page.getByRole('tab', { name: 'Connections' }).click();
  await expectWithin(page, page.getByRole('button', { name: /^Disconnect/ }));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expectWithin(page, page.getByRole('dialog').getByRole('button', { name: 'Close' }));
});

describe('Delete on the canvas', () => {
  test('removes the selected nodes, even right after other keys', async () => {
    const nodes = [0, 240, 480].map((x) => aNode({ name: `At ${x}`, type: 'base.no-op', position: [x, 0] }));
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Deleted', nodes, connections: {} })}`);
    await nodeOf(page, 'At 480').waitFor();
    for (let round = 0; round < 8; round += 1) {
      for (const key of ['Control+a', 'Control+d']) await page.keyboard.press(key);
      await nodeOf(page, 'At 480 2').waitFor();
      await page.keyboard.press('Delete');
      await nodeOf(page, 'At 480 2').waitFor({ state: 'detached', timeout: 3_000 });
    }
  });

  test('removes a connection that was selected with the keyboard or the mouse', async () => {
    const nodes = ['From', 'To'].map((name, index) => aNode({ name, type: 'base.no-op', position: [index * 300, 0] }));
    const connections = { From: { main: [[{ node: 'To', type: 'main', index: 0 }]] } };
    const page = await open(`/workflows/${await createWorkflow(service, { name: 'Cut', nodes, connections })}`);
    const connection = page.getByLabel('Connection from From to To');
    await connection.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await connection.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await connection.waitFor({ state: 'attached' });
    const line = await connection.locator('path').first().boundingBox();
    await page.mouse.click((line?.x ?? 0) + (line?.width ?? 0) / 2, line?.y ?? 0);
    await page.keyboard.press('Delete');
    await connection.waitFor({ state: 'detached' });
    await nodeOf(page, 'From').waitFor();
  });
});

test('a rejected activation names each node that caused it, with a hint', async () => {
  const hook = { type: 'base.webhook', typeVersion: 2, parameters: { path: ':id' } };
  const nodes = [aNode({ name: 'In', ...hook }), aNode({ name: 'Also in', ...hook, position: [0, 200] })];
  const id = await createWorkflow(service, { name: 'Refused', nodes, connections: {} });
  const page = await open(`/workflows/${id}`);
  await page.getByRole('switch', { name: 'Activate' }).click();
  for (const name of ['In', 'Also in']) {
    await page
      .getByText(new RegExp(`node "${name}": .* Start the path with a fixed part`))
      .first()
      .waitFor();
  }
});

describe('versions', () => {
  test('rolls back to an older version, which triggers then run', async () => {
    const nodes = [aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2, parameters: { path: 'rolled-back' } })];
    const { body: first } = await service.call('POST', '/workflows', { name: 'Rolled back', nodes, connections: {} });
    await service.call('PATCH', `/workflows/${first.id}`, { name: 'Rolled back too far' });
    await service.call('POST', `/workflows/${first.id}/activate`);
    const page = await open(`/workflows/${first.id}?tab=versions`);
    await page.getByRole('button', { name: 'Activate Version 1', exact: true }).click();
    await page.getByRole('dialog', { name: 'Activate Version 1?' }).getByLabel('Label').fill('Known to work');
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog', { name: 'The workflow is active' }).getByText('/webhook/rolled-back').waitFor();
    await page.keyboard.press('Escape');
    const older = page.getByRole('listitem').filter({ hasText: 'Version 1: Known to work' });
    await older.getByText('Active', { exact: true }).waitFor();
    expect((await service.call('GET', `/workflows/${first.id}`)).body).toMatchObject({
      activeVersionId: first.versionId,
      name: 'Rolled back too far',
    });
  });

  test('shows changes as text', async () => {
    for (const name of ['Renamed', 'Renamed elsewhere']) await service.call('PATCH', `/workflows/${orders}`, { name });
    const page = await open(`/workflows/${orders}?tab=versions`);
    await page.getByRole('tab', { name: 'Text' }).click();
    await page.getByRole('region', { name: 'Changes as text' }).getByText('Renamed elsewhere').waitFor();
    const [newest, before] = (await service.call('GET', `/workflows/${orders}/versions`)).body.data;
    await page.getByRole('heading', { name: `Version ${before.number} → Version ${newest.number}` }).waitFor();
    await page.getByRole('button', { name: 'Compare with Version 1', exact: true }).click();
    await page.getByRole('heading', { name: `Version 1 → Version ${newest.number}` }).waitFor();
  });
});

describe('the tabs of a workflow', () => {
  let hooked: string;
  beforeAll(async () => {
    const webhook = { type: 'base.webhook', typeVersion: 2, parameters: { path: 'tabs', httpMethod: 'POST' } };
    hooked = await createWorkflow(service, {
      name: 'Hooked',
      nodes: [aNode({ name: 'Webhook', ...webhook })],
      connections: {},
    });
    await service.call('POST', `/workflows/${hooked}/activate`);
  });

  test('Triggers shows the URLs, and a test URL starts one execution of the draft', async () => {
    const page = await open(`/workflows/${hooked}?tab=triggers`);
    await page.getByText(`${service.url}/webhook/tabs`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open test URLs' }).click();
    await page.getByText('waits for a request').waitFor();
    const url = await page.getByText('/webhook-test/').textContent();
    expect((await fetch(url as string, { method: 'POST' })).status).toBe(200);
    await page.getByRole('link', { name: /^A request arrived/ }).click();
    await page.getByRole('button', { name: /^Webhook ?: succeeded/ }).waitFor();
  });

  test('Settings saves settings and tags as a new version', async () => {
    const page = await open(`/workflows/${hooked}?tab=settings`);
    await page.getByLabel('Time zone').fill('Europe/Vienna');
    await page.getByPlaceholder('New tag').fill('at night');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('checkbox', { name: 'at night', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Workflow saved').first().waitFor();
    const { body } = await service.call('GET', `/workflows/${hooked}`);
    expect(body).toMatchObject({ settings: { timezone: 'Europe/Vienna' }, tags: [expect.any(String)] });
  });

  test('Statistics shows a chart over time', async () => {
    const page = await open(`/workflows/${orders}?tab=statistics`);
    await page.getByRole('img', { name: 'Executions over time, by result' }).locator('canvas').waitFor();
  });

  test('look right and are accessible', async () => {
    const contents: Record<string, (page: Page) => Locator> = {
      versions: (page) => page.locator('.react-flow__node').first(),
      triggers: (page) => page.getByText('/webhook/tabs'),
      statistics: (page) => page.locator('canvas'),
      settings: (page) => page.getByRole('checkbox', { name: 'at night' }),
    };
    for (const [tab, contentOf] of Object.entries(contents)) {
      const ready = (page: Page) => contentOf(page).waitFor({ state: 'attached' });
      await inspect({ name: `workflow-${tab}`, path: `/workflows/${hooked}?tab=${tab}`, ready });
    }
  });
});
