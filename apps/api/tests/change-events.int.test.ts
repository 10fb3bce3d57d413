import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { startFakeWorker } from './support/fake-worker.ts';
import { type Following, followPath } from './support/follow.ts';
import { startTestApi } from './support/test-api.ts';

let workflow: { id: string };
let open: Following[] = [];

const api = await startTestApi({ EVENT_STREAMS_KEY_MAX: '2' });
const worker = await startFakeWorker(api.db, api.redisPrefix);
afterAll(async () => {
  await worker.close();
  await api.close();
});
beforeEach(async () => {
  workflow = (await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body;
});
afterEach(() => {
  for (const following of open) following.stop();
  open = [];
});

/**
 * Resolves once changes are watched. The first event may contain changes: the server may still
 * watch for a stream that an earlier test has left.
 */
async function following(key?: string): Promise<Following> {
  const opened = await followPath(api, '/events', key === undefined ? {} : { key });
  open.push(opened);
  await eventually(() => expect(opened.events).not.toHaveLength(0));
  return opened;
}

async function start(): Promise<string> {
  const headers = { prefer: 'respond-async' };
  return (await api.call('POST', `/workflows/${workflow.id}/run`, { headers })).body.executionId;
}

const statusesOf = ({ events }: Following, id: string) =>
  events.flatMap(({ data }) => data.executions.filter((it: { id: string }) => it.id === id)).map(({ status }) => status);

describe('events of all executions', () => {
  test('report when executions are created, run, end, and are deleted', async () => {
    const stream = await following();
    const id = await start();
    await eventually(() => expect(statusesOf(stream, id)).toEqual(['new']));
    await worker.claim(id);
    await eventually(() => expect(statusesOf(stream, id)).toEqual(['new', 'running']));
    await worker.finish(id);
    await eventually(() => expect(statusesOf(stream, id).at(-1)).toBe('success'));
    await api.call('POST', '/executions/delete', { body: { ids: [id] } });
    await eventually(() => expect(statusesOf(stream, id).at(-1)).toBeNull());
    const { body: projects } = await api.call('GET', '/projects');
    const last = { id, status: null, workflowId: workflow.id, projectId: projects.data[0].id };
    expect(stream.events.at(-1)?.data).toEqual({ executions: [last], more: false });
  });

  test('report when an older execution ends', async () => {
    const id = await start();
    await worker.claim(id);
    // More executions than each poll compares.
    await api.call('GET', '/executions');
    for (let batch = 0; batch < 21; batch += 1) await Promise.all(Array.from({ length: 10 }, start));
    const stream = await following();
    await api.call('POST', `/executions/${id}/stop`);
    await eventually(() => expect(statusesOf(stream, id).at(-1)).toBe('canceled'));
  });

  test('cover the projects of the caller until it loses its membership', async () => {
    const { user, key } = await api.newUser('member');
    const { id: projectId } = await api.projects.createTeam({ name: 'team' });
    workflow = (await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId } })).body;
    const [stranger, owner] = [await following(key), await following()];
    const hidden = await start();
    await eventually(() => expect(statusesOf(owner, hidden)).toEqual(['new']));
    await api.projects.setMember(projectId, user.id, 'project:viewer');
    const visibleId = await start();
    await eventually(() => expect(statusesOf(stranger, visibleId)).toEqual(['new']));
    expect(statusesOf(stranger, hidden)).toEqual([]);
    await api.call('DELETE', `/projects/${projectId}/members/${user.id}`);
    const later = await start();
    await eventually(() => expect(statusesOf(owner, later)).toEqual(['new']));
    expect(statusesOf(stranger, later)).toEqual([]);
  });

  test('end when the user of the key is deleted', async () => {
    const { user, key } = await api.newUser('member');
    const stream = await following(key);
    expect((await api.call('DELETE', `/users/${user.id}`)).status).toBe(200);
    await stream.ended;
  });

  test('require the scope, and count toward the stream limit of a key', async () => {
    const { user } = await api.newUser('member');
    const reader = await api.newKey(user.id, { scopes: ['execution:read'] });
    const refused = await api.call('GET', '/events', { key: reader });
    expect([refused.status, refused.body.details[0].message]).toEqual([403, 'execution:list']);
    const key = await api.newKey(user.id);
    await following(key);
    await following(key);
    expect((await api.call('GET', '/events', { key })).status).toBe(429);
  });
});
