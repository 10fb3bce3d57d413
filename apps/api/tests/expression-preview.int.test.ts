import { afterAll, describe, expect, test } from '@jest/globals';
import { AuditRepository } from '@sluice/db';
import type { Item, NodeRun } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { startFakeWorker } from './support/fake-worker.ts';
import { startTestApi } from './support/test-api.ts';

const graph = {
  name: 'Preview',
  nodes: [
    aNode({ name: 'Start', type: 'base.manual-trigger' }),
    aNode({ name: 'First', type: 'base.no-op' }),
    aNode({ name: 'Last', type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput: '={{ $json.name }}' } }),
  ],
  connections: {
    Start: { main: [[{ node: 'First', type: 'main', index: 0 }]] },
    First: { main: [[{ node: 'Last', type: 'main', index: 0 }]] },
  },
};

const items: Item[] = [
  { json: { name: 'Ada' }, pairedItem: 0 },
  { json: { name: 'Grace' }, pairedItem: 0 },
];
const run = (source: string | null, output?: Item[]): Partial<NodeRun> => ({
  source: source === null ? [] : [{ previousNode: source }],
  ...(output && { data: { main: [output] } }),
});

const api = await startTestApi({ SANDBOX_TIMEOUT_MS: '1000' });
const worker = await startFakeWorker(api.db, api.redisPrefix);
const workflowId = (await api.call('POST', '/workflows', { body: graph })).body.id;
const executionId = (await api.call('POST', `/workflows/${workflowId}/run`, { body: {} })).body.executionId;
await worker.claim(executionId);
await worker.nodeRun(executionId, 'Start', 0, run(null, [{ json: { from: 'start' } }]));
await worker.nodeRun(executionId, 'First', 1, run('Start', items));
await worker.nodeRun(executionId, 'Last', 2, { ...run('First'), executionStatus: 'error' });
await worker.finish(executionId, { name: 'Error', message: 'broken' });
afterAll(async () => {
  await worker.close();
  await api.close();
});

const preview = (body: object, key?: string) =>
  api.call('POST', `/workflows/${workflowId}/expressions`, { body, ...(key !== undefined && { key }) });

describe('the preview of expressions', () => {
  test('changes nothing, so it has no entry in the audit log', async () => {
    const { headers } = await preview({ nodeName: 'Last' });
    await api.call('PATCH', `/workflows/${workflowId}`, { body: { name: 'Preview' } });
    await eventually(async () => {
      const lines = await new AuditRepository(api.db.kysely).list({ object: workflowId }, { limit: 20 });
      expect(lines[0]?.action).toBe('workflow.update');
      expect(lines.map(({ requestId }) => requestId)).not.toContain(headers.get('x-request-id'));
    });
  });

  test('evaluates each expression for one item with the data of the execution', async () => {
    const parameters = {
      plain: 'text',
      name: '={{ $json.name.toUpperCase() }}',
      nested: { list: ['={{ $("Start").first().json.from }}', '=before {{ $itemIndex }}'] },
      item: '={{ $("Start").item.json }}',
      run: '={{ $execution.id }}',
    };
    const { status, body } = await preview({ nodeName: 'Last', executionId, itemIndex: 1, parameters });
    expect(status).toBe(200);
    expect(body).toEqual({
      itemCount: 2,
      expressions: [
        { path: 'name', value: 'GRACE' },
        { path: 'nested.list.0', value: 'start' },
        { path: 'nested.list.1', value: 'before 1' },
        { path: 'item', value: { from: 'start' } },
        { path: 'run', value: executionId },
      ],
    });
  });

  test('uses the stored parameters, and the input of a node that failed or has not run', async () => {
    const stored = await preview({ nodeName: 'Last', executionId });
    expect(stored.body).toEqual({ itemCount: 2, expressions: [{ path: 'jsonOutput', value: 'Ada' }] });
    const added = aNode({ name: 'Added', type: 'base.no-op' });
    const draft = {
      ...graph,
      nodes: [...graph.nodes, added],
      connections: { ...graph.connections, First: { main: [[{ node: 'Added', type: 'main', index: 0 }]] } },
    };
    const parameters = { a: '={{ $json.name }}' };
    const { body } = await preview({ nodeName: 'Added', executionId, workflowData: draft, parameters });
    expect(body).toEqual({ itemCount: 2, expressions: [{ path: 'a', value: 'Ada' }] });
  });

  test('uses pinned data without an execution', async () => {
    const draft = { ...graph, pinData: { First: [{ json: { name: 'pinned' } }] } };
    const { body } = await preview({ nodeName: 'Last', workflowData: draft });
    expect(body).toEqual({ itemCount: 1, expressions: [{ path: 'jsonOutput', value: 'pinned' }] });
  });

  test('reports the failure of each expression separately, and stops endless expressions', async () => {
    const parameters = {
      unknown: '={{ $("None").first().json }}',
      wrong: '={{ 1 + }}',
      large: '={{ "x".repeat(100000) }}',
      good: '={{ 1 + 1 }}',
    };
    const { status, body } = await preview({ nodeName: 'Last', executionId, parameters });
    expect(status).toBe(200);
    const of = (path: string) => body.expressions.find((one: { path: string }) => one.path === path);
    for (const path of ['unknown', 'wrong'])
      expect(of(path)).toMatchObject({ error: { message: expect.any(String), code: expect.any(String) } });
    expect(of('large')).toEqual({ path: 'large', tooLarge: true });
    expect(of('good')).toEqual({ path: 'good', value: 2 });
    const endless = await preview({ nodeName: 'Last', parameters: { a: '={{ (() => { for (;;) {} })() }}' } });
    expect(endless.body.expressions).toEqual([
      { path: 'a', error: { code: 'EXPRESSION_ERROR', message: expect.stringContaining('1000 ms') } },
    ]);
  });

  test('rejects unknown nodes, executions of other workflows, and too much data', async () => {
    expect((await preview({ nodeName: 'None' })).body.details).toEqual([
      { path: '/nodeName', message: 'no node has this name' },
    ]);
    const other = (await api.call('POST', '/workflows', { body: graph })).body.id;
    const foreign = (await api.call('POST', `/workflows/${other}/run`, { body: {} })).body.executionId;
    expect((await preview({ nodeName: 'Last', executionId: foreign })).status).toBe(400);
    expect((await preview({ nodeName: 'Last', executionId: '999999999' })).status).toBe(404);
    await worker.claim(foreign);
    await worker.nodeRun(foreign, 'Start', 0, run(null, []));
    await sql`UPDATE node_runs SET data = decode(repeat('00', 9000000), 'hex') WHERE execution_id = ${foreign}`.execute(
      api.db.kysely,
    );
    await eventually(async () => {
      const large = await api.call('POST', `/workflows/${other}/expressions`, {
        body: { nodeName: 'Last', executionId: foreign },
      });
      expect(large.body.details).toEqual([{ path: '/executionId', message: 'has too much data for a preview' }]);
    });
  });

  test('shows variables only to keys that may run workflows, and execution data only to keys that may read it', async () => {
    await sql`INSERT INTO variables (key, value) VALUES ('region', 'eu')`.execute(api.db.kysely);
    const parameters = { a: '={{ $vars.region }}' };
    expect((await preview({ nodeName: 'Last', parameters })).body.expressions).toEqual([{ path: 'a', value: 'eu' }]);
    const owner = await api.newUser('owner');
    const reading = await api.newKey(owner.user.id, { scopes: ['workflow:read'] });
    expect((await preview({ nodeName: 'Last', parameters }, reading)).body.expressions).toEqual([{ path: 'a' }]);
    const refused = await preview({ nodeName: 'Last', executionId }, reading);
    expect([refused.status, refused.body.details]).toEqual([403, [{ path: 'scope', message: 'execution:read' }]]);
    const stranger = await api.newUser('member');
    expect((await preview({ nodeName: 'Last' }, stranger.key)).status).toBe(403);
  });
});
