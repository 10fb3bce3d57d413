import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, ProgressChannel, SealedPublisher, SealedSubscriber, subscribeSignal } from '@sluice/queue';
import { aSmallWorkflow, eventually, testMasterKey, testRedisUrl } from '@sluice/test-support';
import { KeyRing, MessageSeal } from '@sluice/vault';
import { startFakeWorker } from './support/fake-worker.ts';
import { type Following, follow, type ReceivedEvent } from './support/follow.ts';
import { startTestApi } from './support/test-api.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const redis = createRedis(testRedisUrl(), 'producer', logger);
const subscriber = createRedis(testRedisUrl(), 'subscriber', logger);
const seal = new MessageSeal(KeyRing.parse([testMasterKey]));

let id: string;
let open: Following[] = [];

const api = await startTestApi({ EVENT_STREAMS_KEY_MAX: '3' });
const worker = await startFakeWorker(api.db, api.redisPrefix);
const progress = new ProgressChannel(new SealedPublisher(redis, seal), api.redisPrefix);
afterAll(async () => {
  await worker.close();
  await api.close();
  await Promise.all([closeRedis(redis), closeRedis(subscriber)]);
});
beforeEach(async () => {
  const { body: workflow } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
  const run = await api.call('POST', `/workflows/${workflow.id}/run`, { headers: { prefer: 'respond-async' } });
  id = run.body.executionId;
});
afterEach(async () => {
  for (const following of open) following.stop();
  open = [];
});

async function following(options: { key?: string; lastEventId?: string } = {}): Promise<Following> {
  const opened = await follow(api, id, options);
  open.push(opened);
  return opened;
}

const names = (events: readonly ReceivedEvent[]) =>
  events.map(({ event, data }) => (event === 'status' ? data.status : `${event} ${data.nodeName}`));

const eventsOf = (nodeName: string) => [`nodeStarted ${nodeName}`, `nodeFinished ${nodeName}`];

describe('events of an execution', () => {
  test('contain statuses and node runs in order, and end with the terminal status', async () => {
    const stream = await following();
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    await eventually(() => expect(names(stream.events)).toEqual(['new']));
    await worker.claim(id);
    await worker.nodeRun(id, 'Start', 0);
    await progress.publish({ changed: id });
    await eventually(() => expect(names(stream.events)).toEqual(['new', 'running', 'nodeStarted Start', 'nodeFinished Start']));
    const error = { message: 'boom', node: '__proto__', name: 'NodeOperationError' };
    await worker.nodeRun(id, '__proto__', 1, { executionStatus: 'error', error, startTime: 7, executionTime: 3 });
    await worker.finish(id, error);
    await stream.ended;
    const ofRuns = ['Start', '__proto__'].flatMap(eventsOf);
    expect(names(stream.events)).toEqual(['new', 'running', ...ofRuns, 'error']);
    const [, running, , , , failed, last] = stream.events;
    expect(running?.data).toEqual({ executionId: id, status: 'running', startedAt: expect.any(String), stoppedAt: null });
    expect(failed?.data).toEqual({
      executionId: id,
      nodeName: '__proto__',
      runIndex: 0,
      executionStatus: 'error',
      startTime: 7,
      executionTime: 3,
      error,
    });
    const { body } = await api.call('GET', `/executions/${id}`);
    expect(last?.data).toEqual({
      executionId: id,
      status: 'error',
      startedAt: body.startedAt,
      stoppedAt: body.stoppedAt,
      error,
    });
  });

  test('arrive even without Redis', async () => {
    const stream = await following();
    await worker.claim(id);
    await worker.nodeRun(id, 'Start', 0);
    await eventually(() => expect(names(stream.events)).toContain('nodeFinished Start'));
  });

  test('of an ended execution are sent immediately, and the stream ends', async () => {
    await worker.claim(id);
    await worker.nodeRun(id, 'Start', 0);
    await worker.finish(id);
    const stream = await following();
    await stream.ended;
    expect(names(stream.events)).toEqual([...eventsOf('Start'), 'success']);
  });

  test('report a stop', async () => {
    const stream = await following();
    await api.call('POST', `/executions/${id}/stop`);
    await stream.ended;
    expect(names(stream.events).at(-1)).toBe('canceled');
  });

  test('resume after any event without gaps or duplicates', async () => {
    await worker.claim(id);
    await worker.nodeRun(id, 'A', 0);
    const stream = await following();
    await eventually(() => expect(stream.events).toHaveLength(3));
    await worker.nodeRun(id, 'B', 1);
    await worker.nodeRun(id, 'C', 2);
    await worker.finish(id);
    await stream.ended;
    const all = stream.events;
    expect(names(all)).toEqual(['running', ...['A', 'B', 'C'].flatMap(eventsOf), 'success']);
    for (const [i, { id: lastEventId }] of all.entries()) {
      const again = await following({ lastEventId: lastEventId as string });
      await again.ended;
      // A client that reconnects after the end gets the final event again.
      expect(again.events).toEqual(i === all.length - 1 ? all.slice(-1) : all.slice(i + 1));
    }
  });

  test('include node starts as Redis delivers them, each once and in the order of the run', async () => {
    await worker.claim(id);
    const stream = await following();
    await eventually(() => expect(stream.events).toHaveLength(1));
    const started = (nodeName: string, seq: number) =>
      progress.publish({ started: { executionId: id, nodeName, runIndex: 0, seq, startTime: 5 } });
    await started('A', 0);
    await started('A', 0);
    await eventually(() => expect(names(stream.events)).toEqual(['running', 'nodeStarted A']));
    expect(stream.events[1]).toEqual({
      event: 'nodeStarted',
      id: '0s-running',
      data: { executionId: id, nodeName: 'A', runIndex: 0, startTime: 5 },
    });
    await started('B', 1);
    await worker.nodeRun(id, 'A', 0);
    await progress.publish({ changed: id });
    await eventually(() => expect(names(stream.events).at(-1)).toBe('nodeStarted B'));
    await worker.nodeRun(id, 'B', 1);
    await worker.finish(id);
    await stream.ended;
    expect(names(stream.events)).toEqual(['running', ...['A', 'B'].flatMap(eventsOf), 'success']);
  });

  test('request the workers to publish the progress of the execution', async () => {
    const watched: string[] = [];
    const signals = new SealedSubscriber({ redis: subscriber, seal, logger });
    subscribeSignal(signals, { prefix: api.redisPrefix, signal: 'watch' }, (ids) => watched.push(...ids));
    await eventually(async () => {
      await following().then((stream) => stream.stop());
      return watched.includes(id);
    });
  });

  test('end when the execution is deleted', async () => {
    const stream = await following();
    await eventually(() => expect(stream.events).toHaveLength(1));
    await api.call('POST', '/executions/delete', { body: { ids: [id] } });
    await stream.ended;
    expect(names(stream.events)).toEqual(['new']);
  });

  test('end when the process stops, and can be resumed at another process', async () => {
    const other = await startTestApi();
    const { body: workflow } = await other.call('POST', '/workflows', { body: aSmallWorkflow() });
    const run = await other.call('POST', `/workflows/${workflow.id}/run`, { headers: { prefer: 'respond-async' } });
    const stream = await follow(other, run.body.executionId);
    await eventually(() => expect(stream.events).toHaveLength(1));
    await other.close();
    await stream.ended;
  });
});

/** The executions continue, so these streams would not end. */
describe('a stream ends once its reader', () => {
  async function expectEnd(key: string, takeAway: () => Promise<unknown> = async () => undefined): Promise<void> {
    const stream = await following({ key });
    await eventually(() => expect(stream.events).toHaveLength(1));
    await takeAway();
    await stream.ended;
  }

  test('has lost the key', async () => {
    const { user, key: adminKey } = await api.newUser('admin');
    const key = await api.newKey(user.id);
    const [{ id: keyId } = { id: '' }] = await api.keys.listOf(user.id);
    await expectEnd(key, () => api.call('DELETE', `/api-keys/${keyId}`, { key: adminKey }));
  });

  test('has lost the key at another process', async () => {
    const { user } = await api.newUser('admin');
    const key = await api.newKey(user.id);
    const [{ id: keyId } = { id: '' }] = await api.keys.listOf(user.id);
    await expectEnd(key, () => api.keys.revoke(keyId, user.id, () => undefined));
  });

  test('has a key with fewer scopes', async () => {
    const { user } = await api.newUser('admin');
    const key = await api.newKey(user.id);
    const [{ id: keyId } = { id: '' }] = await api.keys.listOf(user.id);
    await expectEnd(key, () => api.keys.update(keyId, user.id, () => ({ scopes: ['workflow:read'] })));
  });

  test('has a key that has expired', async () => {
    const { user } = await api.newUser('admin');
    await expectEnd(await api.newKey(user.id, { expiresAt: new Date(Date.now() + 5_000) }));
  });

  test('is no longer a member', async () => {
    const { user, key } = await api.newUser('member');
    const projectId = (
      await api.db.kysely.selectFrom('executions').select('project_id').where('id', '=', id).executeTakeFirstOrThrow()
    ).project_id;
    await api.projects.setMember(projectId, user.id, 'project:viewer');
    await expectEnd(key, () => api.call('DELETE', `/projects/${projectId}/members/${user.id}`));
  });
});

describe('a stream', () => {
  test('above the limit of its key is 429 until another stream closes', async () => {
    const { user } = await api.newUser('owner');
    const key = await api.newKey(user.id);
    const streams = [await following({ key }), await following({ key }), await following({ key })];
    const refused = await api.call('GET', `/executions/${id}/events`, { key });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    streams[0]?.stop();
    await eventually(async () => (await following({ key })).response.status === 200);
  });

  test('is 404 for a missing execution, and 403 for an inaccessible one or without the scope', async () => {
    const get = (path: string, key?: string) => api.call('GET', `/executions/${path}/events`, key ? { key } : {});
    for (const unknown of ['999999999999', 'x', '0']) expect((await get(unknown)).status).toBe(404);
    const { key, user } = await api.newUser('member');
    expect((await get(id, key)).status).toBe(403);
    const lister = await api.newKey(user.id, { scopes: ['execution:list'] });
    expect((await get(id, lister)).body.details[0].message).toBe('execution:read');
  });

  test('with an invalid Last-Event-ID is 400', async () => {
    for (const lastEventId of ['x', '1', '-1-new', '1-none', '9999999999-new', '1-new; drop']) {
      const headers = { 'last-event-id': lastEventId };
      expect((await api.call('GET', `/executions/${id}/events`, { headers })).status).toBe(400);
    }
  });

  test('requested with HEAD has headers but no events, and takes no slot', async () => {
    const { user } = await api.newUser('owner');
    const key = await api.newKey(user.id);
    for (let i = 0; i < 6; i++) {
      const response = await fetch(`${api.url}/api/v1/executions/${id}/events`, {
        method: 'HEAD',
        headers: { 'x-service-api-key': key },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(await response.text()).toBe('');
    }
  });
});
