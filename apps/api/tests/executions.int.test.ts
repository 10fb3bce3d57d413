import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Access } from '@sluice/db';
import { aChain, aNode, aSmallWorkflow, eventually } from '@sluice/test-support';
import { startFakeWorker } from './support/fake-worker.ts';
import { type CallOptions, startTestApi } from './support/test-api.ts';

let workflowId: string;
let teamId: string;

const failure = { message: 'boom', node: 'Set', name: 'NodeOperationError' };

const api = await startTestApi();
const worker = await startFakeWorker(api.db, api.redisPrefix);
afterAll(async () => {
  await worker.close();
  await api.close();
});
beforeAll(async () => {
  teamId = (await api.projects.createTeam({ name: 'team' })).id;
});
beforeEach(async () => {
  workflowId = (await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body.id;
});

async function run(options: CallOptions = {}): Promise<string> {
  const headers = { prefer: 'respond-async', ...options.headers };
  const { status, body } = await api.call('POST', `/workflows/${workflowId}/run`, { ...options, headers });
  expect(status).toBe(200);
  return body.executionId;
}

async function runFailed(): Promise<string> {
  const id = await run();
  await worker.claim(id);
  await worker.nodeRun(id, 'Start', 0, { data: { main: [[{ json: {} }]] } });
  await worker.nodeRun(id, 'Set', 1, { executionStatus: 'error', error: failure });
  await worker.finish(id, failure);
  return id;
}

function row(id: string) {
  return api.db.kysely.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

describe('run', () => {
  test('ignores unknown properties and names them in its warnings', async () => {
    const body = { data: { x: 1 }, workflowdata: {}, ['y'.repeat(500)]: 1 };
    const address = `/workflows/${(await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body.id}/run`;
    const run = await api.call('POST', address, { body, headers: { prefer: 'respond-async' } });
    const message =
      'is not a property of this request and was ignored; its properties are workflowData, startNodes, destinationNode, runData';
    const paths = ['/data', '/workflowdata', `/${'y'.repeat(128)}`];
    expect([run.status, run.body.warnings]).toEqual([200, paths.map((path) => ({ code: 'UNKNOWN_PROPERTY', path, message }))]);
    const silent = await api.call('POST', address, { body: { startNodes: [] }, headers: { prefer: 'respond-async' } });
    expect(silent.body).not.toHaveProperty('warnings');
  });

  test('returns the run data as soon as the run ends', async () => {
    const began = performance.now();
    const response = api.call('POST', `/workflows/${workflowId}/run`, { headers: { prefer: 'wait=120' } });
    const id = await eventually(async () => {
      const rows = await api.db.kysely.selectFrom('executions').select('id').where('workflow_id', '=', workflowId).execute();
      return rows[0]?.id ?? false;
    });
    await worker.claim(id);
    await worker.nodeRun(id, '__proto__', 0, { data: { main: [[{ json: { response: 42 } }]] } });
    await worker.finish(id);
    const { status, body } = await response;
    expect(status).toBe(200);
    expect(body).toMatchObject({ executionId: id, finished: true, status: 'success' });
    const runs = Object.getOwnPropertyDescriptor(body.data.resultData.runData, '__proto__')?.value;
    expect(runs[0].data.main[0][0].json).toEqual({ response: 42 });
    expect(performance.now() - began).toBeLessThan(60_000); // half of the wait
  });

  describe('does not return the result to a caller', () => {
    test.each([
      ['whose key was revoked', (keyId: string, userId: string) => api.keys.revoke(keyId, userId, () => undefined)],
      ['whose key lost the scope', (keyId: string, userId: string) => api.keys.update(keyId, userId, () => ({ scopes: [] }))],
      [
        'who was removed from the project',
        (_: string, userId: string) => api.projects.removeMember(teamId, new Access('all'), userId),
      ],
    ])('%s during the wait', async (_, removeRight) => {
      const { user, key } = await api.newUser('member');
      const [apiKey] = await api.keys.listOf(user.id);
      await api.projects.setMember(teamId, user.id, 'project:editor');
      const { id: ownId } = (await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId: teamId } })).body;
      const response = api.call('POST', `/workflows/${ownId}/run`, { key, headers: { prefer: 'wait=120' } });
      const id = await eventually(async () => {
        const rows = await api.db.kysely.selectFrom('executions').select('id').where('workflow_id', '=', ownId).execute();
        return rows[0]?.id ?? false;
      });
      await worker.claim(id);
      await removeRight(apiKey?.id ?? '', user.id);
      await eventually(async () => (await api.call('POST', `/workflows/${ownId}/run`, { key })).status === 403);
      await worker.finish(id);
      const { status, body } = await response;
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
      expect(await row(id)).toMatchObject({ status: 'success' });
    });
  });

  test('returns the unfinished run after the maximum wait, and the run continues', async () => {
    const { body } = await api.call('POST', `/workflows/${workflowId}/run`, { body: {} });
    expect(body).toMatchObject({ finished: false, status: 'new', data: { resultData: { runData: {} } } });
    expect(await row(body.executionId)).toMatchObject({ status: 'new', mode: 'manual' });
  });

  test('runs a graph that the request contains, and stores it once', async () => {
    const workflowData = aChain([aNode({ name: 'only', type: 'x' })], { settings: { executionTimeout: 2.5 } });
    const ids = [await run({ body: { workflowData } }), await run({ body: { workflowData } })];
    const rows = await Promise.all(ids.map(row));
    expect(rows.map((r) => [r.version_id, r.timeout_ms])).toEqual([
      [null, 2500],
      [null, 2500],
    ]);
    expect(rows[0]?.graph_hash).toBe(rows[1]?.graph_hash);
    const { nodes, connections, settings } = workflowData;
    expect((await api.call('GET', `/executions/${ids[0]}/workflow`)).body).toEqual({
      name: expect.any(String),
      nodes,
      connections,
      settings,
    });
  });

  test('without a graph, or with the stored one, runs the newest version', async () => {
    const { body: workflow } = await api.call('GET', `/workflows/${workflowId}`);
    for (const body of [undefined, {}, { workflowData: workflow }]) {
      expect((await row(await run({ body }))).version_id).toBe(workflow.versionId);
    }
  });

  test('rejects start and destination nodes that are missing or not connected, and inconsistent graphs', async () => {
    const post = (body: unknown) => api.call('POST', `/workflows/${workflowId}/run`, { body });
    const unknown = await post({ startNodes: ['Set', 'x'], destinationNode: 'y' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.details.map((d: { path: string }) => d.path)).toEqual(['/destinationNode', '/startNodes/1']);
    const astray = await post({ startNodes: ['Start', 'Set'], destinationNode: 'Start' });
    expect(astray.status).toBe(400);
    expect(astray.body.details).toEqual([{ path: '/startNodes/1', message: 'does not lead to the destination node' }]);
    const dangling = await post({ workflowData: { nodes: [], connections: { a: { main: [] } } } });
    expect(dangling.body.details[0].path).toBe('/workflowData/connections/a');
    expect((await api.call('GET', `/executions?workflowId=${workflowId}`)).body.count).toBe(0);
  });

  test('returns its start and destination nodes with the data', async () => {
    const id = await run({
      body: { startNodes: ['Set'], destinationNode: 'Set', runData: { Start: [{ data: { main: [[{ json: {} }]] } }] } },
    });
    const { body } = await api.call('GET', `/executions/${id}?includeData=true`);
    expect(body.data.executionData.startData).toEqual({ startNodes: ['Set'], destinationNode: 'Set' });
  });

  test('with one idempotency key starts one execution, even for concurrent requests', async () => {
    const headers = { 'idempotency-key': 'a key' };
    const ids = await Promise.all(Array.from({ length: 5 }, () => run({ headers })));
    expect(new Set(ids).size).toBe(1);
    expect(await run({ headers: { 'idempotency-key': 'another' } })).not.toBe(ids[0]);
    const again = await api.call('POST', `/workflows/${workflowId}/run`, { headers: { 'idempotency-key': '' } });
    expect(again.status).toBe(400);
  });

  test('with a repeated key returns an ended run immediately', async () => {
    const headers = { 'idempotency-key': 'k' };
    const id = await run({ headers });
    await worker.claim(id);
    await worker.finish(id);
    const began = performance.now();
    const { body } = await api.call('POST', `/workflows/${workflowId}/run`, { headers: { ...headers, prefer: 'wait=120' } });
    expect(body).toMatchObject({ executionId: id, finished: true });
    expect(performance.now() - began).toBeLessThan(60_000); // half of the wait
  });

  test('continues when the client disconnects', async () => {
    const disconnected = new AbortController();
    const request = fetch(`${api.url}/api/v1/workflows/${workflowId}/run`, {
      method: 'POST',
      headers: { 'x-service-api-key': 'an-owner-key-of-any-format', prefer: 'wait=30' },
      signal: disconnected.signal,
    });
    request.catch(() => undefined);
    await eventually(async () => (await api.call('GET', `/executions?workflowId=${workflowId}`)).body.count === 1);
    disconnected.abort();
    const { body } = await api.call('GET', `/executions?workflowId=${workflowId}`);
    expect(body.data[0].status).toBe('new');
  });
});

describe('reading', () => {
  test('an execution has the fields of the contract, and data only on request', async () => {
    const id = await runFailed();
    const { body } = await api.call('GET', `/executions/${id}`);
    expect(body).toMatchObject({ id, workflowId, workflowName: 'a workflow', status: 'error', mode: 'manual', retryOf: null });
    expect(body).not.toHaveProperty('data');
    expect(body.error).toMatchObject({ message: failure.message });
    const [listed] = (await api.call('GET', `/executions?workflowId=${workflowId}&status=error`)).body.data;
    expect(listed.error.message).toBe(failure.message);
    const { data } = (await api.call('GET', `/executions/${id}?includeData=true`)).body;
    expect(data.resultData).toMatchObject({ error: failure, lastNodeExecuted: 'Set', runData: { Set: [{ error: failure }] } });
    expect(data.executionData).toMatchObject({ attempt: 1, nodeErrors: [{ nodeName: 'Set', runIndex: 0 }], truncated: [] });
  });

  test('a list has pages, newest first, the number of matches, and the number of running executions', async () => {
    const ids = [await run(), await run(), await run()];
    await worker.claim(ids[0] as string);
    const list = async (query: string) => (await api.call('GET', `/executions?workflowId=${workflowId}&${query}`)).body;
    const first = await list('limit=2');
    expect(first.data.map((e: { id: string }) => e.id)).toEqual([ids[2], ids[1]]);
    expect(first).toMatchObject({ count: 3, estimated: false, concurrentExecutionsCount: 1 });
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ data: [{ id: ids[0], status: 'running' }], nextCursor: null, count: 3 });
    expect((await list(`lastId=${ids[2]}`)).data.map((e: { id: string }) => e.id)).toEqual([ids[1], ids[0]]);
    expect((await list('status=running')).count).toBe(1);
    expect((await list('status=new,running')).count).toBe(3);
    expect((await list('status=crashed')).count).toBe(0);
    expect((await list('mode=retry')).count).toBe(0);
    expect((await list('startedAfter=2020-01-01')).count).toBe(3);
    expect((await list('startedBefore=2020-01-01T00:00:00Z')).count).toBe(0);
    await worker.finish(ids[0] as string);
  });

  test('a list includes data on request', async () => {
    await runFailed();
    const { body } = await api.call('GET', `/executions?workflowId=${workflowId}&includeData=true`);
    expect(body.data[0].data.resultData.lastNodeExecuted).toBe('Set');
  });
});

describe('stop', () => {
  test('cancels new and running executions, returns the time, and is 409 for ended executions', async () => {
    const [fresh, running] = [await run(), await run()];
    await worker.claim(running);
    for (const id of [fresh, running]) {
      const { status, body } = await api.call('POST', `/executions/${id}/stop`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, status: 'canceled' });
      expect(body.stoppedAt).toBe((await row(id)).stopped_at?.toISOString());
      expect((await api.call('POST', `/executions/${id}/stop`)).status).toBe(409);
    }
    await worker.finish(running); // too late, so it has no effect
    expect((await row(running)).status).toBe('canceled');
  });

  test('completes the request that waits for the run', async () => {
    const waiting = api.call('POST', `/workflows/${workflowId}/run`, { headers: { prefer: 'wait=30' } });
    const { body } = await eventually(async () => {
      const response = await api.call('GET', `/executions?workflowId=${workflowId}`);
      return response.body.data.length === 1 && response;
    });
    await api.call('POST', `/executions/${body.data[0].id}/stop`);
    expect((await waiting).body).toMatchObject({ finished: true, status: 'canceled' });
  });

  test('stopMany stops only executions that match the filter', async () => {
    const [queued, running] = [await run(), await run()];
    await worker.claim(running);
    const stop = async (filter: object) => (await api.call('POST', '/executions/stopMany', { body: { filter } })).body.stopped;
    expect(await stop({ workflowId, status: [] })).toBe(0);
    expect(await stop({ workflowId, status: ['waiting'] })).toBe(0);
    expect(await stop({ workflowId, status: ['queued', 'running'], startedBefore: '2020-01-01' })).toBe(0);
    expect(await stop({ workflowId, status: ['queued', 'running'], mode: 'webhook' })).toBe(0);
    const { body: empty } = await api.call('POST', '/projects', { body: { name: 'Empty' } });
    expect(await stop({ projectId: empty.id, status: ['queued', 'running'] })).toBe(0);
    const { body: workflow } = await api.call('GET', `/workflows/${workflowId}`);
    expect(await stop({ workflowId, projectId: workflow.projectId, mode: 'manual', status: ['queued'] })).toBe(1);
    expect((await row(queued)).status).toBe('canceled');
    expect(await stop({ workflowId, status: ['queued', 'running'] })).toBe(1);
    await run();
    expect(await stop({ workflowId: 'all', status: ['queued'], startedAfter: '2020-01-01' })).toBeGreaterThanOrEqual(1);
    for (const nowhere of [{ workflowId: 'none' }, { projectId: 'none' }, { projectId: '' }]) {
      const filter = { ...nowhere, status: ['queued'] };
      expect((await api.call('POST', '/executions/stopMany', { body: { filter } })).status).toBe(404);
    }
  });

  test('stopMany rejects a misspelled filter, which would otherwise stop all executions', async () => {
    const id = await run();
    const body = { filter: { workflow: workflowId, status: ['queued'] } };
    const refused = await api.call('POST', '/executions/stopMany', { body });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: '/filter', message: expect.stringContaining('workflowId') }],
    ]);
    expect((await row(id)).status).toBe('new');
  });
});

describe('a dry run', () => {
  test('returns the number of executions that stopMany or delete would affect, and changes nothing', async () => {
    const [queued, running] = [await run(), await run()];
    await worker.claim(running);
    const filter = { workflowId, status: ['queued', 'running'] };
    const stop = async (more: object) =>
      (await api.call('POST', '/executions/stopMany', { body: { filter, ...more } })).body.stopped;
    const before = await stop({ dryRun: true });
    expect(before).toBeGreaterThanOrEqual(2);
    expect(await stop({ dryRun: true, limit: 1 })).toBe(1);
    const { key } = await api.newUser('member');
    const strange = await api.call('POST', '/executions/stopMany', {
      key,
      body: { filter: { status: ['queued'] }, dryRun: true },
    });
    expect(strange.body).toEqual({ stopped: 0 });
    expect(await stop({ dryRun: true })).toBe(before);
    const remove = (ids: string[]) => api.call('POST', '/executions/delete', { body: { ids, dryRun: true } });
    expect((await remove([queued, '999999999999'])).body).toEqual({ success: true, deleted: 1 });
    expect((await remove([queued, running])).status).toBe(400);
    expect((await row(queued)).status).toBe('new');
  });

  test('stopMany with a limit stops the oldest executions first', async () => {
    const own = (await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body.id;
    const started = await Promise.all(
      [0, 1, 2].map(async () => (await api.call('POST', `/workflows/${own}/run`, { body: {} })).body.executionId),
    );
    const [oldest] = started.sort((a, b) => Number(a) - Number(b));
    const filter = { workflowId: own, status: ['queued'] };
    const stop = async (limit: number) =>
      (await api.call('POST', '/executions/stopMany', { body: { filter, limit } })).body.stopped;
    expect(await stop(1)).toBe(1);
    expect((await row(oldest)).status).toBe('canceled');
    expect([await stop(2), await stop(2)]).toEqual([2, 0]);
  });
});

describe('retry', () => {
  test('creates a running execution that keeps the successful node runs', async () => {
    const id = await runFailed();
    const { status, body } = await api.call('POST', `/executions/${id}/retry`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ workflowId, status: 'running', mode: 'retry', retryOf: id });
    expect(body.startedAt).not.toBeNull();
    const { data } = (await api.call('GET', `/executions/${body.id}?includeData=true`)).body;
    expect(Object.keys(data.resultData.runData)).toEqual(['Start']);
    await worker.claim(body.id);
    await worker.finish(body.id);
    expect((await api.call('GET', `/executions/${id}`)).body.retrySuccessId).toBe(body.id);
  });

  test('from the start keeps no node runs, from a node drops its runs and those of later nodes, and with loadWorkflow uses the newest graph', async () => {
    const id = await runFailed();
    const retryFrom = async (body: object) => {
      const { body: retried } = await api.call('POST', `/executions/${id}/retry`, { body });
      const { data } = (await api.call('GET', `/executions/${retried.id}?includeData=true`)).body;
      return { names: Object.keys(data.resultData.runData), hash: (await row(retried.id)).graph_hash };
    };
    expect((await retryFrom({ from: 'start' })).names).toEqual([]);
    expect((await retryFrom({ from: 'Start' })).names).toEqual([]);
    expect((await retryFrom({ from: 'Set' })).names).toEqual(['Start']);
    expect((await api.call('POST', `/executions/${id}/retry`, { body: { from: 'x' } })).status).toBe(400);
    const original = (await row(id)).graph_hash;
    await api.call('PATCH', `/workflows/${workflowId}`, { body: { name: 'changed' } });
    expect((await retryFrom({})).hash).toBe(original);
    expect((await retryFrom({ loadWorkflow: true })).hash).not.toBe(original);
  });

  test('is 409 for new, running, and successful executions', async () => {
    const id = await run();
    const retry = async () =>
      (await api.call('POST', `/executions/${id}/retry`)) as { status: number; body: { message: string } };
    expect((await retry()).status).toBe(409);
    await worker.claim(id);
    expect(await retry()).toMatchObject({ status: 409, body: { message: 'cannot retry a running or waiting execution' } });
    await worker.finish(id);
    expect(await retry()).toMatchObject({
      status: 409,
      body: { message: 'cannot retry an execution with the status success' },
    });
  });

  test('with one idempotency key creates one execution', async () => {
    const id = await runFailed();
    const headers = { 'idempotency-key': 'r' };
    const [a, b] = [
      await api.call('POST', `/executions/${id}/retry`, { headers }),
      await api.call('POST', `/executions/${id}/retry`, { headers }),
    ];
    expect(b.body.id).toBe(a.body.id);
  });
});

describe('deletion', () => {
  const remove = (ids: string[], key?: string) =>
    api.call('POST', '/executions/delete', { body: { ids }, ...(key ? { key } : {}) });

  test('deletes all given executions and skips missing ones', async () => {
    const [failed, fresh] = [await runFailed(), await run()];
    expect((await remove([failed, fresh, failed, '999999999999', 'x', ''])).body).toEqual({ success: true });
    expect((await api.call('GET', `/executions/${failed}`)).status).toBe(404);
    expect((await remove([failed])).status).toBe(200);
  });

  test('of a running execution is 400 and deletes nothing', async () => {
    const [failed, running] = [await runFailed(), await run()];
    await worker.claim(running);
    expect(await remove([failed, running])).toMatchObject({
      status: 400,
      body: {
        message: 'cannot delete a running execution',
        details: [{ path: '/ids/1', message: 'is running: stop it first' }],
      },
    });
    expect((await row(failed)).status).toBe('error');
    await worker.finish(running);
  });

  test('of an inaccessible execution is 403, even if another is running, and deletes nothing', async () => {
    const { key } = await api.newUser('member');
    const running = await run();
    await worker.claim(running);
    expect((await remove([running], key)).status).toBe(403);
    await worker.finish(running);
  });
});

describe('projects', () => {
  test('executions of other projects are 403, and are not part of lists or stopMany', async () => {
    const [outsider, viewer] = [await api.newUser('member'), await api.newUser('member')];
    const { body: workflow } = await api.call('GET', `/workflows/${workflowId}`);
    await api.projects.setMember(workflow.projectId, viewer.user.id, 'project:viewer');
    const id = await run();
    expect((await api.call('GET', `/executions/${id}`, { key: viewer.key })).status).toBe(200);
    for (const [method, path] of [
      ['GET', `/executions/${id}`],
      ['POST', `/executions/${id}/stop`],
      ['POST', `/executions/${id}/retry`],
    ] as const) {
      expect((await api.call(method, path, { key: outsider.key })).status).toBe(403);
      if (method === 'GET') continue;
      const { status, body } = await api.call(method, path, { key: viewer.key });
      expect([status, body.message]).toEqual([403, `execution ${id} is not accessible with the role that this needs`]);
    }
    const { body } = await api.call('GET', '/executions', { key: outsider.key });
    expect(body).toMatchObject({ data: [], count: 0, concurrentExecutionsCount: 0 });
    const all = { body: { filter: { status: ['queued', 'running', 'waiting'] } } };
    for (const key of [outsider.key, viewer.key]) {
      expect((await api.call('POST', '/executions/stopMany', { key, ...all })).body).toEqual({ stopped: 0 });
    }
    const inProject = { filter: { projectId: workflow.projectId, status: ['queued'] } };
    const refused = await api.call('POST', '/executions/stopMany', { key: outsider.key, body: inProject });
    expect([refused.status, (await row(id)).status]).toEqual([403, 'new']);
  });
});
