import { afterAll, describe, expect, test } from '@jest/globals';
import { VariableRepository } from '@sluice/db';
import type { JsonObject, WorkflowNode, WorkflowSettings } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi({ TIMEZONE: 'America/New_York' });
afterAll(() => api.close());

const every = (interval: JsonObject, changes: Partial<WorkflowNode> = {}): WorkflowNode =>
  aNode({
    name: 'Clock',
    type: 'base.schedule-trigger',
    typeVersion: 1.2,
    parameters: { rule: { interval: [interval] } },
    ...changes,
  });
const daily = (hour: number) => every({ field: 'days', triggerAtHour: hour });

async function create(nodes: WorkflowNode[], settings: WorkflowSettings = {}): Promise<string> {
  const { status, body } = await api.call('POST', '/workflows', { body: aChain(nodes, { settings }) });
  expect(status).toBe(201);
  return body.id;
}

const act = (id: string, verb: 'activate' | 'deactivate', body?: object) =>
  api.call('POST', `/workflows/${id}/${verb}`, { body });
const triggers = async (id: string) => (await api.call('GET', `/workflows/${id}/triggers`)).body.data;

async function activated(nodes: WorkflowNode[], settings: WorkflowSettings = {}): Promise<string> {
  const id = await create(nodes, settings);
  expect((await act(id, 'activate')).status).toBe(200);
  return id;
}

/** Hour and minute in a time zone. */
const clockIn = (zone: string, instant: string) =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(new Date(instant));

describe('the triggers of a workflow', () => {
  test('are listed once the activation has returned, and gone once the deactivation has returned', async () => {
    const id = await create([daily(8)]);
    expect(await triggers(id)).toEqual([]);
    await act(id, 'activate');
    expect(await triggers(id)).toEqual([
      {
        nodeName: 'Clock',
        kind: 'schedule',
        status: 'active',
        nextRunAt: expect.any(String),
        lastExecutionId: null,
        lastSkip: null,
        failures: 0,
        lastError: null,
        retryAt: null,
        lastSuccessAt: null,
        heldBy: null,
        urls: [],
        createdAt: expect.any(String),
      },
    ]);
    await act(id, 'deactivate');
    expect(await triggers(id)).toEqual([]);
  });

  test('include the URLs of webhooks and forms, like the response to the activation', async () => {
    const webhook = aNode({
      name: 'Orders',
      type: 'base.webhook',
      typeVersion: 2,
      parameters: { path: 'orders/:id', httpMethod: 'POST' },
    });
    const form = aNode({
      name: 'Ask',
      type: 'base.form-trigger',
      typeVersion: 2.2,
      parameters: { path: 'ask', formTitle: 'Ask' },
    });
    const id = await create([webhook, form]);
    const { body } = await act(id, 'activate');
    const urls = [
      { nodeName: 'Ask', kind: 'form', methods: ['GET', 'POST'], url: 'https://sluice.example/form/ask' },
      {
        nodeName: 'Orders',
        kind: 'webhook',
        methods: ['POST'],
        url: expect.stringMatching(/^https:\/\/sluice\.example\/webhook\/.*orders\/:id$/),
      },
    ];
    const byNode = (list: { nodeName: string }[]) => list.toSorted((a, b) => (a.nodeName < b.nodeName ? -1 : 1));
    expect(byNode(body.urls)).toEqual(urls);
    const listed = await triggers(id);
    expect(byNode(listed.flatMap((trigger: { urls: [] }) => trigger.urls))).toEqual(urls);
    expect((await act(await create([daily(8)]), 'activate')).body).not.toHaveProperty('urls');
  });

  test('have URLs that any client can request', async () => {
    const path = 'größe/100%25/[x]';
    const hook = aNode({ name: 'Hook', type: 'base.webhook', typeVersion: 2, parameters: { path } });
    const id = await create([hook]);
    const { body } = await act(id, 'activate');
    const url = 'https://sluice.example/webhook/gr%C3%B6%C3%9Fe/100%2525/%5Bx%5D';
    expect(body.urls).toMatchObject([{ url }]);
    expect(await triggers(id)).toMatchObject([{ urls: [{ url }] }]);
    const { status } = await fetch(new URL(new URL(url).pathname, api.url));
    expect(status).toBe(200);
  });

  test('use the time zone of the workflow, or else of the instance', async () => {
    const [trigger] = await triggers(await activated([daily(8)], { timezone: 'Asia/Tokyo' }));
    const [common] = await triggers(await activated([daily(8)]));
    expect(clockIn('Asia/Tokyo', trigger.nextRunAt)).toBe('08:00');
    expect(clockIn('America/New_York', common.nextRunAt)).toBe('08:00');
  });

  test('are the triggers of the active version, whatever has been saved since', async () => {
    const id = await activated([daily(8)]);
    const [before] = await triggers(id);
    await api.call('PATCH', `/workflows/${id}`, { body: { nodes: [daily(9)] } });
    expect(await triggers(id)).toEqual([before]);
    await act(id, 'activate');
    expect(clockIn('America/New_York', (await triggers(id))[0].nextRunAt)).toBe('09:00');
  });

  test('are unchanged if their configuration has not changed', async () => {
    const id = await activated([every({ field: 'hours', hoursInterval: 7 })]);
    const before = await triggers(id);
    await api.call('PATCH', `/workflows/${id}`, { body: { name: 'another' } });
    await act(id, 'activate');
    expect(await triggers(id)).toEqual(before);
  });

  test('include all enabled trigger nodes, even under their older type names', async () => {
    const id = await activated([
      daily(8),
      aNode({ name: 'Off', type: 'base.schedule-trigger', disabled: true }),
      aNode({ name: 'Old', type: 'n8n-nodes-base.cron', parameters: { triggerTimes: { item: [{ mode: 'everyHour' }] } } }),
      aNode({ name: 'Older', type: 'n8n-nodes-base.interval', parameters: { interval: 5, unit: 'minutes' } }),
      aNode({ name: 'By hand', type: 'base.manual-trigger' }),
    ]);
    expect((await triggers(id)).map((trigger: { nodeName: string }) => trigger.nodeName)).toEqual(['Clock', 'Old', 'Older']);
  });

  test('include polls and listeners, and a poll is due immediately, whatever its schedule', async () => {
    const [feed, channel] = await triggers(
      await activated([
        aNode({ name: 'Feed', type: 'base.rss-feed-read-trigger', parameters: { feedUrl: 'http://127.0.0.1/feed' } }),
        aNode({ name: 'Redis', type: 'base.redis-trigger', parameters: { channels: 'news' } }),
      ]),
    );
    expect(feed).toMatchObject({ nodeName: 'Feed', kind: 'poll', status: 'active', heldBy: null, lastSuccessAt: null });
    expect(Date.parse(feed.nextRunAt)).toBeLessThanOrEqual(Date.now());
    expect(channel).toMatchObject({ nodeName: 'Redis', kind: 'listen', status: 'starting', nextRunAt: null });
  });

  test('keep their state when their nodes swap names', async () => {
    const feed = (id: string, name: string) =>
      aNode({ id, name, type: 'base.rss-feed-read-trigger', parameters: { feedUrl: 'http://127.0.0.1/feed' } });
    const id = await activated([feed('1', 'A'), feed('2', 'B')]);
    const sources = api.db.kysely.selectFrom('trigger_sources').where('workflow_id', '=', id);
    const seenBy = async () => {
      const rows = await sources.select(['node_name', 'cursor']).orderBy('node_name').execute();
      return rows.map(({ node_name, cursor }) => `${node_name} ${cursor?.toString()}`);
    };
    for (const name of ['A', 'B']) {
      const update = api.db.kysely.updateTable('trigger_sources').set({ cursor: Buffer.from(`of ${name}`) });
      await update.where('workflow_id', '=', id).where('node_name', '=', name).execute();
    }
    const nodes = [feed('1', 'B'), feed('2', 'A')];
    expect((await api.call('PATCH', `/workflows/${id}`, { body: { nodes } })).status).toBe(200);
    expect((await act(id, 'activate')).status).toBe(200);
    expect(await seenBy()).toEqual(['A of B', 'B of A']);
  });

  test('can use expressions for times, which can read variables and the workflow', async () => {
    await new VariableRepository(api.db.kysely).set('WHEN', '0 6 * * *');
    const id = await activated([
      every({ field: 'cronExpression', expression: '={{ $vars.WHEN }}' }),
      every(
        { field: 'cronExpression', expression: '={{ ["0", "7", ...Array(3).fill("*")].join(" ") }}' },
        { name: 'Computed' },
      ),
    ]);
    const clocks = (await triggers(id)).map((trigger: { nextRunAt: string }) => clockIn('America/New_York', trigger.nextRunAt));
    expect(clocks).toEqual(['06:00', '07:00']);
  });

  test('are visible to users who may read the workflow', async () => {
    const id = await activated([daily(8)]);
    const { key } = await api.newUser('member');
    expect((await api.call('GET', `/workflows/${id}/triggers`, { key })).status).toBe(403);
    expect((await api.call('GET', '/workflows/none/triggers')).status).toBe(404);
  });

  test('move with a workflow to another project, and are deleted with it', async () => {
    const id = await activated([daily(8)]);
    const before = await triggers(id);
    const { body: project } = await api.call('POST', '/projects', { body: { name: 'other' } });
    await api.call('PUT', `/workflows/${id}/transfer`, { body: { destinationProjectId: project.id } });
    expect(await triggers(id)).toEqual(before);
    await api.call('DELETE', `/workflows/${id}`);
    expect(await api.db.kysely.selectFrom('triggers').select('id').where('workflow_id', '=', id).execute()).toEqual([]);
  });
});

describe('an activation fails and leaves the active version unchanged', () => {
  test.each<[string, JsonObject, string]>([
    ['with an invalid cron expression', { field: 'cronExpression', expression: '61 * * * *' }, 'cannot be read'],
    ['with a cron expression that is never due', { field: 'cronExpression', expression: '0 0 30 2 *' }, 'never due'],
    ['with a number that is out of range', { field: 'hours', hoursInterval: 0 }, 'whole number'],
    [
      'with an expression that needs items',
      { field: 'cronExpression', expression: '={{ $("By hand").item.json.x }}' },
      'has not run',
    ],
    ['with an expression that fails', { field: 'cronExpression', expression: '={{ nothing.there() }}' }, 'nothing'],
  ])('%s', async (_, interval, message) => {
    const byHand = aNode({ name: 'By hand', type: 'base.manual-trigger' });
    const id = await activated([byHand, daily(8)]);
    const before = [await triggers(id), (await api.call('GET', `/workflows/${id}`)).body.activeVersionId];
    await api.call('PATCH', `/workflows/${id}`, { body: { nodes: [byHand, every(interval)] } });
    expect(await act(id, 'activate')).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        details: [{ path: '/nodes/1/parameters', message: expect.stringMatching(new RegExp(`^node "Clock": .*${message}`)) }],
      },
    });
    expect([await triggers(id), (await api.call('GET', `/workflows/${id}`)).body.activeVersionId]).toEqual(before);
  });

  test('with a time zone that does not exist', async () => {
    const id = await create([daily(8)], { timezone: 'Mars/Olympus' });
    expect((await act(id, 'activate')).body.details[0].message).toBe('node "Clock": unknown time zone "Mars/Olympus"');
  });

  test('with more nodes of a type than the type allows, without disabled nodes', async () => {
    const byHand = (name: string, disabled = false) => aNode({ name, type: 'base.manual-trigger', disabled });
    const id = await create([byHand('A'), byHand('B'), daily(8)]);
    const message = 'node "B": a workflow has at most 1 of the type base.manual-trigger';
    expect(await act(id, 'activate')).toMatchObject({ status: 400, body: { details: [{ path: '/nodes/1/type', message }] } });
    await activated([byHand('A'), byHand('B', true), daily(8)]);
  });

  test('with invalid poll times', async () => {
    const pollTimes = { item: [{ mode: 'everyX', value: 0 }] };
    const feed = aNode({ name: 'Feed', type: 'base.rss-feed-read-trigger', parameters: { feedUrl: 'http://x', pollTimes } });
    const message = 'node "Feed": "value" must be a whole number from 1 to 1000000, but is 0';
    expect(await act(await create([feed]), 'activate')).toMatchObject({ status: 400, body: { details: [{ message }] } });
  });

  test('with a node type version that does not exist', async () => {
    const id = await create([every({}, { typeVersion: 9 })]);
    expect(await act(id, 'activate')).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});

test('a hundred consecutive activations take less than a minute', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 100; i += 1) ids.push(await create([daily(i % 24)]));
  const began = performance.now();
  for (const id of ids) await act(id, 'activate');
  expect(performance.now() - began).toBeLessThan(60_000); // about ten times the duration on a busy machine
});
