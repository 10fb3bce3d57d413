import { afterAll, describe, expect, test } from '@jest/globals';
import { aSmallWorkflow } from '@sluice/test-support';
import { startFakeWorker } from './support/fake-worker.ts';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
const worker = await startFakeWorker(api.db, api.redisPrefix);
const member = await api.newUser('member');
const key = member.key;
const userId = member.user.id;
afterAll(async () => {
  await worker.close();
  await api.close();
});

async function workflow(projectId?: string): Promise<string> {
  return (await api.call('POST', '/workflows', { key, body: { ...aSmallWorkflow(), projectId } })).body.id;
}

async function run(workflowId: string): Promise<string> {
  const response = await api.call('POST', `/workflows/${workflowId}/run`, { key, headers: { prefer: 'respond-async' } });
  expect(response.status).toBe(200);
  return response.body.executionId;
}

async function finished(workflowId: string): Promise<string> {
  const id = await run(workflowId);
  await worker.claim(id);
  await worker.finish(id);
  return id;
}

const list = async (query: string) => (await api.call('GET', `/executions?${query}`, { key })).body;
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

describe('filters', () => {
  test('work alone and together', async () => {
    const team = await api.projects.createTeam({ name: 'team' });
    await api.projects.setMember(team.id, userId, 'project:editor');
    const [w1, w2] = [await workflow(), await workflow(team.id)];
    const done = await finished(w1);
    const between = new Date();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const fresh = await run(w2);
    const running = await run(w2);
    await worker.claim(running);
    expect(idsOf(await list(''))).toEqual([running, fresh, done]);
    expect(idsOf(await list(`workflowId=${w1}`))).toEqual([done]);
    expect(idsOf(await list(`projectId=${team.id}`))).toEqual([running, fresh]);
    expect(idsOf(await list('status=success'))).toEqual([done]);
    expect(idsOf(await list('status=new,running'))).toEqual([running, fresh]);
    expect(idsOf(await list(`startedAfter=${between.toISOString()}`))).toEqual([running, fresh]);
    expect(idsOf(await list(`startedBefore=${between.toISOString()}`))).toEqual([done]);
    expect(idsOf(await list('mode=manual&limit=1'))).toEqual([running]);
    expect(idsOf(await list('mode=webhook'))).toEqual([]);
    expect(await list(`projectId=${team.id}&status=running&workflowId=${w2}`)).toMatchObject({
      data: [{ id: running, status: 'running', workflowId: w2 }],
      count: 1,
      estimated: false,
      concurrentExecutionsCount: 1,
    });
    await worker.finish(running);
  });

  test('with invalid values are 400', async () => {
    for (const query of [
      'status=done',
      'status=',
      'status=new,',
      'status=new&status=running',
      'limit=0',
      'limit=251',
      'limit=1.5',
      'limit=x',
      'cursor=x',
      'cursor=',
      'lastId=0',
      'lastId=x',
      'lastId=9223372036854775808',
      'includeData=yes',
      'mode=x',
      'startedAfter=yesterday',
      'workflowId=%00',
    ]) {
      expect([query, (await api.call('GET', `/executions?${query}`, { key })).status]).toEqual([query, 400]);
    }
  });
});

describe('paging', () => {
  test('by cursor and by lastId returns the same entries, each once, while executions are added', async () => {
    const id = await workflow();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await run(id));
    const first = await list(`workflowId=${id}&limit=2`);
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    await run(id);
    const second = await list(`workflowId=${id}&limit=2&cursor=${first.nextCursor}`);
    expect(second).toEqual(await list(`workflowId=${id}&limit=2&lastId=${ids[1]}`));
    const third = await list(`workflowId=${id}&limit=2&cursor=${second.nextCursor}`);
    expect([...idsOf(second), ...idsOf(third)]).toEqual(ids.slice(2));
    expect(third.nextCursor).toBeNull();
    expect(idsOf(await list(`workflowId=${id}&lastId=${ids[3]}&cursor=${first.nextCursor}`))).toEqual(ids.slice(4));
  });
});

describe('includeData', () => {
  test('ends a page early once its data exceeds 32 MiB, and the next page continues after it', async () => {
    const id = await workflow();
    const text = 'x'.repeat(12 * 1024 * 1024);
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      const execution = await run(id);
      ids.unshift(execution);
      await worker.claim(execution);
      await worker.nodeRun(execution, 'Set', 0, { data: { main: [[{ json: { text } }]] } });
      await worker.finish(execution);
    }
    const first = await list(`workflowId=${id}&includeData=true`);
    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    expect(first.count).toBe(4);
    const second = await list(`workflowId=${id}&includeData=true&cursor=${first.nextCursor}`);
    expect(idsOf(second)).toEqual(ids.slice(3));
    expect(second.nextCursor).toBeNull();
    expect(second.data[0].data.resultData.runData.Set[0].data.main[0][0].json.text).toHaveLength(text.length);
    expect(idsOf(await list(`workflowId=${id}`))).toEqual(ids);
  });
});
