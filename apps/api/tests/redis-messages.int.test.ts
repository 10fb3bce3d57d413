import { afterAll, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, SealedPublisher, SignalChannel } from '@sluice/queue';
import { aNode, eventually, testMasterKey, testRedisUrl } from '@sluice/test-support';
import { KeyRing, MessageSeal } from '@sluice/vault';
import { aPath, aRespond, aSet, startWebhookFleet } from './support/webhook-fleet.ts';

/** An attacker with full access to Redis, but without the master key. */
class Attacker {
  readonly #logger = createLogger({ name: 'test', level: 'silent' });
  readonly redis = createRedis(testRedisUrl(), 'consumer', this.#logger);
  readonly #subscriber = createRedis(testRedisUrl(), 'subscriber', this.#logger);
  readonly #prefix: string;
  /** Every message since the test started. */
  readonly heard: { channel: string; message: Buffer }[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#subscriber.on('pmessageBuffer', (_: Buffer, channel: Buffer, message: Buffer) => {
      this.heard.push({ channel: channel.toString().slice(prefix.length + 1), message });
    });
  }

  async eavesdrop(): Promise<void> {
    await this.#subscriber.psubscribe(`${this.#prefix}:*`);
  }

  async send(channel: string, message: string | Buffer): Promise<void> {
    await this.redis.publish(`${this.#prefix}:${channel}`, message);
  }

  async close(): Promise<void> {
    await Promise.all([closeRedis(this.redis), closeRedis(this.#subscriber)]);
  }
}

const fleet = await startWebhookFleet();
const attacker = new Attacker(fleet.api.redisPrefix);
await attacker.eavesdrop();
afterAll(async () => {
  await attacker.close();
  await fleet.close();
});

/** Waits for a second without releasing the worker. */
const aWait = (name: string) => aNode({ name, type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1 } });
const secret = 'what-only-the-caller-may-read';
const respond = (text: string, typeVersion?: number) => aRespond({ respondWith: 'text', responseBody: text }, typeVersion);

/** Starts a workflow that responds after two seconds. Resolves once it runs. */
async function answering(responseMode: 'responseNode' | 'lastNode' | 'streaming') {
  const path = aPath();
  const genuine = responseMode === 'lastNode' ? aSet('Last', '{ "answer": "genuine" }') : respond('genuine', 1.5);
  const workflowId = await fleet.activate({ path, responseMode }, [aWait('Wait 1'), aWait('Wait 2'), genuine]);
  const received = fleet.call(path).then((response) => response.text());
  const query = fleet.api.db.kysely.selectFrom('executions').select(['id', 'status']).where('workflow_id', '=', workflowId);
  let id = '';
  await eventually(async () => {
    const row = await query.executeTakeFirst();
    id = row?.id ?? '';
    return row?.status === 'running';
  });
  return { received, workflowId, id };
}

test('an eavesdropper on Redis cannot read responses, items, or node names', async () => {
  const last = aSet(secret, `{ "answer": "${secret}" }`);
  const modes = { lastNode: [last], responseNode: [respond(secret)], streaming: [respond(secret, 1.5)] };
  for (const [responseMode, nodes] of Object.entries(modes)) {
    const path = aPath();
    await fleet.activate({ path, responseMode }, nodes);
    expect(await (await fleet.call(path)).text()).toContain(secret);
  }
  const channels = new Set(attacker.heard.map(({ channel }) => channel.replace(/\d+$/, '<id>')));
  expect([...channels]).toEqual(expect.arrayContaining(['ended', 'responded', 'chunks:<id>']));
  expect(attacker.heard.filter(({ message }) => message.includes(secret.slice(0, 10)))).toEqual([]);
  const keys = await attacker.redis.keys(`${fleet.api.redisPrefix}:*`);
  const dumped = await Promise.all(keys.map((key) => attacker.redis.dumpBuffer(key)));
  expect(dumped.filter((value) => value?.includes(secret.slice(0, 10)))).toEqual([]);
});

test.each(['responseNode', 'lastNode', 'streaming'] as const)(
  'forged, moved, truncated, and repeated messages change no webhook response (%s)',
  async (responseMode) => {
    const recorded = [...attacker.heard];
    const { received, id } = await answering(responseMode);
    const forged = { status: 200, headers: {}, body: { kind: 'text', text: 'forged' } };
    const run = {
      startTime: 1,
      executionTime: 1,
      executionStatus: 'success',
      source: [],
      data: { main: [[{ json: { forged } }]] },
    };
    await attacker.send('responded', `${id}\n${id} ${JSON.stringify({ response: forged })}`);
    await attacker.send('ended', `${id}\n${id} ${JSON.stringify({ lastRun: run })}`);
    await attacker.send(`chunks:${id}`, '1 0 {"type":"item","content":"forged"}');
    for (const { channel, message } of recorded) {
      for (const target of [channel, 'responded', 'ended', `chunks:${id}`]) {
        await attacker.send(target, message);
        await attacker.send(target, message.subarray(0, -1));
      }
    }
    const text = await received;
    expect(text).toContain('genuine');
    expect(text).not.toContain('forged');
    expect(text).not.toContain(secret);
  },
);

test('a cancel signal stops only canceled executions, whether it is forged or sent with the master key', async () => {
  const { received, workflowId, id } = await answering('responseNode');
  await attacker.send('cancel', id);
  const seal = new MessageSeal(KeyRing.parse([testMasterKey]));
  const genuine = new SignalChannel(new SealedPublisher(attacker.redis, seal), fleet.api.redisPrefix, 'cancel');
  await genuine.publish([id]);
  expect(await received).toBe('genuine');
  await eventually(async () => expect(await fleet.statusesOf(workflowId)).toEqual(['success']));
});

test('a forged ended signal does not return a manual run before it ends', async () => {
  const { body: workflow } = await fleet.api.call('POST', '/workflows', {
    body: {
      name: 'slow',
      nodes: [aNode({ name: 'Start', type: 'base.manual-trigger' }), aWait('Wait')],
      connections: { Start: { main: [[{ node: 'Wait', type: 'main', index: 0 }]] } },
    },
  });
  const received = fleet.api.call('POST', `/workflows/${workflow.id}/run`, { headers: { prefer: 'wait=20' } });
  const query = fleet.api.db.kysely.selectFrom('executions').select(['id', 'status']).where('workflow_id', '=', workflow.id);
  await eventually(async () => (await query.executeTakeFirst())?.status === 'running');
  const seal = new MessageSeal(KeyRing.parse([testMasterKey]));
  const { id } = await query.executeTakeFirstOrThrow();
  await new SignalChannel(new SealedPublisher(attacker.redis, seal), fleet.api.redisPrefix, 'ended').publish([id]);
  expect((await received).body).toMatchObject({ executionId: id, finished: true });
});
