import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  type ActiveTrigger,
  CredentialRepository,
  ExecutionRepository,
  type NewTrigger,
  TriggerRepository,
  WorkflowRepository,
} from '@sluice/db';
import { isTerminal, type JsonObject, randomId, type WorkflowNode } from '@sluice/domain';
import { noNodePackages } from '@sluice/node-packages';
import type { ListenContext, NodeType, NodeTypeDescription, PollContext, PollResult } from '@sluice/node-sdk';
import { aChain, aNode, eventually, testMasterKey, testRedisPrefix } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { sql } from 'kysely';
import type { RunningWorker } from '../src/worker.ts';
import { Fleet } from './support/fleet.ts';

const all = new Access('all');
let fleet: Fleet;
let projectId: string;
let folder: string;
let prefix: string;

/** Behavior of a test's node types; set by the test. */
let poll: (context: PollContext) => Promise<PollResult>;
let trigger: (context: ListenContext) => Promise<{ close(): Promise<void> }>;

const described = (name: string, more: Partial<NodeTypeDescription> = {}): NodeTypeDescription => ({
  displayName: name,
  name,
  group: ['trigger'],
  version: 1,
  description: 'For tests',
  defaults: { name },
  inputs: [],
  outputs: ['main'],
  properties: [],
  ...more,
});
const poller: NodeType = { description: described('poller', { polling: true }), poll: (context) => poll(context) };
const listener: NodeType = { description: described('listener'), trigger: (context) => trigger(context) };
const nodePackages = {
  ...noNodePackages,
  nodeTypes: new Map([
    ['test.poller', poller],
    ['test.listener', listener],
  ]),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  fleet = await Fleet.start({ BINARY_DIR: folder });
  projectId = await fleet.aProject();
});
beforeEach(() => {
  prefix = testRedisPrefix();
});
afterEach(async () => {
  await fleet.db.kysely.deleteFrom('workflows').execute();
  await fleet.stopWorkers();
});
afterAll(async () => {
  await fleet.close();
  await rm(folder, { recursive: true });
});

/** Each test has its own queue: jobs of the previous one may be left. */
function aWorker(settings: Record<string, string> = {}, packages = nodePackages): Promise<RunningWorker> {
  return fleet.work({ nodePackages: packages }, { QUEUE_PREFIX: prefix, ...settings });
}

const everySecond: NewTrigger = {
  nodeName: 'Source',
  spec: { kind: 'poll', rules: [{ every: 'seconds', count: 1 }], fingerprint: 'a' },
  nextAt: new Date(),
};
const listening: NewTrigger = { nodeName: 'Source', spec: { kind: 'listen', fingerprint: 'a' }, nextAt: null };
const workflows = () => new WorkflowRepository(fleet.db.kysely);

async function active(
  source: NewTrigger,
  parameters: JsonObject = {},
  credentials: NonNullable<WorkflowNode['credentials']> = {},
): Promise<string> {
  const type = source.spec.kind === 'poll' ? 'test.poller' : 'test.listener';
  const nodes = [aNode({ name: 'Source', type, parameters, credentials }), aNode({ name: 'After', type: 'base.no-op' })];
  const { id } = await workflows().create({
    projectId,
    graph: aChain(nodes),
    staticData: null,
    meta: null,
    authorId: fleet.userId,
  });
  await workflows().activate(id, all, {}, [source]);
  return id;
}
const deactivate = (id: string) => workflows().deactivate(id, all);

/** Input items of a workflow's executions, once there are `count` of them. */
async function inputsOf(workflowId: string, count = 0): Promise<JsonObject[]> {
  return eventually(async () => {
    const rows = await fleet.db.kysely
      .selectFrom('executions as e')
      .innerJoin('execution_inputs as i', 'i.execution_id', 'e.id')
      .select('i.data')
      .where('e.workflow_id', '=', workflowId)
      .orderBy('e.id')
      .execute();
    const items = rows.map(({ data }) => JSON.parse(data.subarray(1).toString()).trigger.items[0].json as JsonObject);
    return items.length >= count && items;
  });
}
const triggerOf = async (id: string) => (await new TriggerRepository(fleet.db.kysely).list(id))[0] as ActiveTrigger;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('polls', () => {
  test('with three workers: one at a time, each with the cursor of the previous poll', async () => {
    let [underWay, most] = [0, 0];
    poll = async (context) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await pause(300);
      underWay -= 1;
      const n = Number(context.cursor?.['n'] ?? 0) + 1;
      context.keepCursor({ n });
      return [{ json: { n } }];
    };
    const id = await active(everySecond);
    await Promise.all([aWorker(), aWorker(), aWorker()]);
    const items = await inputsOf(id, 4);
    expect(items.map(({ n }) => n)).toEqual(items.map((_, i) => i + 1));
    expect(most).toBe(1);
    const executions = new ExecutionRepository(fleet.db.kysely);
    const { last_execution_id } = await fleet.db.kysely
      .selectFrom('triggers')
      .select('last_execution_id')
      .where('workflow_id', '=', id)
      .executeTakeFirstOrThrow();
    await eventually(async () => isTerminal((await executions.get(last_execution_id ?? '', all)).status));
  });

  test('findings at further outputs start executions, too, which output them there', async () => {
    let isFirst = true;
    poll = async () => {
      const found = isFirst ? [[{ json: { at: 0 } }], null, [{ json: { at: 2 } }]] : null;
      isFirst = false;
      return found;
    };
    const id = await active(everySecond);
    await aWorker();
    expect(await inputsOf(id, 2)).toEqual([{ at: 0 }, { at: 2 }]);
    const rows = await fleet.db.kysely
      .selectFrom('executions as e')
      .innerJoin('execution_inputs as i', 'i.execution_id', 'e.id')
      .select('i.data')
      .where('e.workflow_id', '=', id)
      .orderBy('e.id')
      .execute();
    expect(rows.map(({ data }) => JSON.parse(data.subarray(1).toString()).trigger.output)).toEqual([0, 2]);
  });

  test('data shared by the nodes of a workflow comes from the previous poll, or from a listener', async () => {
    const seen: number[] = [];
    const count = async ({ sharedData }: ListenContext | PollContext) => {
      const n = Number((await sharedData?.read())?.['n'] ?? 0) + 1;
      sharedData?.keep({ n });
      return n;
    };
    poll = async (context) => {
      seen.push(await count(context));
      if (seen.length === 2) throw new Error('what this poll keeps is forgotten');
      return [{ json: { n: seen.at(-1) ?? 0 } }];
    };
    const polling = await active(everySecond);
    await aWorker();
    await eventually(() => seen.length >= 4);
    expect(seen.slice(0, 4)).toEqual([1, 2, 2, 3]);
    await deactivate(polling);
    let received = 0;
    trigger = async (context) => {
      received = await count(context);
      await context.emit([{ json: { n: received } }]);
      return { close: async () => undefined };
    };
    const id = await active(listening);
    expect(await inputsOf(id, 1)).toEqual([{ n: 1 }]);
    const { static_data } = await fleet.db.kysely
      .selectFrom('workflows')
      .select('static_data')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(static_data).toEqual({ global: { n: 1 } });
  });

  test('without findings start nothing, and still advance the cursor', async () => {
    const seen: unknown[] = [];
    poll = async ({ cursor, keepCursor }) => {
      seen.push(cursor);
      keepCursor({ n: seen.length });
      return seen.length % 2 === 0 ? null : [];
    };
    const id = await active(everySecond);
    await aWorker();
    await eventually(() => seen.length >= 3);
    expect(seen.slice(0, 3)).toEqual([undefined, { n: 1 }, { n: 2 }]);
    expect(await inputsOf(id)).toEqual([]);
  });

  test('one that throws is shown at the trigger and repeated, with its old cursor', async () => {
    const seen: unknown[] = [];
    const { promise: repaired, resolve: repair } = Promise.withResolvers<void>();
    poll = async ({ cursor, keepCursor }) => {
      seen.push(cursor);
      keepCursor({ wrong: true });
      if (seen.length === 3) await repaired;
      if (seen.length < 3) throw new Error('the feed is away');
      keepCursor({ right: true });
      return [{ json: { ok: true } }];
    };
    const id = await active(everySecond);
    await aWorker();
    await eventually(async () => (await triggerOf(id)).failures === 2);
    expect(await triggerOf(id)).toMatchObject({ lastError: 'the feed is away', retryAt: expect.any(Date) });
    repair();
    expect(await inputsOf(id, 1)).toEqual([{ ok: true }]);
    await eventually(async () => (await triggerOf(id)).failures === 0);
    expect(seen.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  });

  test('one that takes too long is abandoned', async () => {
    let aborted = false;
    poll = ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    };
    const id = await active(everySecond);
    await aWorker({ POLL_TIMEOUT_MS: '1000' });
    await eventually(async () => (await triggerOf(id)).lastError === 'the poll has not ended within 1 seconds');
    expect(aborted).toBe(true);
  });

  test('after the response to a deactivation, one in flight starts nothing', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let began = false;
    poll = async () => {
      began = true;
      await gate;
      return [{ json: {} }];
    };
    const id = await active(everySecond);
    await aWorker();
    await eventually(() => began);
    await deactivate(id);
    release();
    await pause(1_500);
    expect(await inputsOf(id)).toEqual([]);
  });
});

test('secrets of credentials are not stored by a poll; its use of them is one line of the audit log', async () => {
  const subject = { id: randomId(), type: 'httpBasicAuth' };
  const sealed = new Vault(KeyRing.parse([testMasterKey])).seal(subject, { user: 'ann', password: 'a-secret-pass-word' });
  const head = { projectId, name: 'c', isGlobal: false, isResolvable: false };
  await new CredentialRepository(fleet.db.kysely).create({ ...subject, ...head, sealed });
  let polls = 0;
  poll = async (context) => {
    const { user, password } = await context.credentials('httpBasicAuth', 0);
    polls += 1;
    context.keepCursor({ password: password ?? null });
    if (polls > 1) throw new Error(`refused: ${password}`);
    return [{ json: { user: user ?? null, password: password ?? null } }];
  };
  const id = await active(everySecond, {}, { httpBasicAuth: { id: subject.id, name: 'c' } });
  await aWorker();
  const lastError = await eventually(async () => (await triggerOf(id)).lastError ?? false);
  expect(lastError).toMatch(/^refused: /);
  const [item] = await inputsOf(id, 1);
  expect(item?.['user']).toBe('ann');
  const { rows } = await sql<{ text: string }>`SELECT encode(cursor, 'escape') AS text FROM trigger_sources
    WHERE workflow_id = ${id}`.execute(fleet.db.kysely);
  expect(JSON.stringify([lastError, item, rows])).not.toContain('secret-pass');
  const uses = () => fleet.db.kysely.selectFrom('audit_log').selectAll().where('actor', '=', `workflow:${id}`).execute();
  await eventually(async () => expect(await uses()).toHaveLength(1));
  expect((await uses())[0]).toMatchObject({ action: 'credential.use', object_id: subject.id, outcome: 'success' });
});

test('a poll reads the files that it has just made, evaluates texts of its type, and reads no other files', async () => {
  poll = async ({ binary, evaluateText }) => {
    const file = await binary.store(Buffer.from('made by a poll'), { fileName: 'a.txt' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await binary.open?.(file)) ?? []) chunks.push(chunk);
    const page = { names: { $pageCount: 2 }, parameters: { from: 5 } };
    const next = await evaluateText?.('={{ $parameter.from + $pageCount }}', 0, page);
    const other = await binary.open?.({ ...file, id: randomId() }).then(
      () => 'open',
      (error: { code: string }) => error.code,
    );
    return [{ json: { read: Buffer.concat(chunks).toString(), next: next ?? null, other: other ?? null } }];
  };
  const id = await active(everySecond);
  await aWorker();
  const [item] = await inputsOf(id, 1);
  expect(item).toEqual({ read: 'made by a poll', next: 7, other: 'BINARY_NOT_FOUND' });
});

test('a file of a poll is held by the execution that it starts', async () => {
  let polls = 0;
  poll = async ({ binary }) => {
    polls += 1;
    if (polls > 1) return null;
    const file = await binary.store(Buffer.from('some bytes'), { fileName: 'a.txt' });
    return [{ json: {}, binary: { data: file } }];
  };
  const id = await active(everySecond);
  await aWorker();
  const rows = await eventually(async () => {
    const found = await fleet.db.kysely
      .selectFrom('binary_data as b')
      .innerJoin('executions as e', 'e.id', 'b.execution_id')
      .select(['b.file_name', 'b.size'])
      .where('e.workflow_id', '=', id)
      .execute();
    return found.length > 0 && found;
  });
  expect(rows).toEqual([{ file_name: 'a.txt', size: '10' }]);
});

/** A listener whose contexts a test can inspect. */
function recording(): ListenContext[] {
  const contexts: ListenContext[] = [];
  trigger = async (context) => {
    contexts.push(context);
    return { close: async () => void contexts.splice(contexts.indexOf(context), 1) };
  };
  return contexts;
}
const started = (contexts: ListenContext[], count: number) => eventually(() => contexts.length === count && contexts);

describe('listeners', () => {
  test('each is held by one worker; an event is an execution before `emit` resolves, and its end can be awaited', async () => {
    const contexts = recording();
    const id = await active(listening, { topic: '={{ "t" + 1 }}' });
    await Promise.all([aWorker(), aWorker()]);
    const [context] = await started(contexts, 1);
    await pause(1_500);
    expect(contexts).toHaveLength(1);
    expect(context?.parameter('topic', 0)).toBe('t1');
    const emitted = await context?.emit([{ json: { n: 1 } }], { key: 'm1', cursor: { n: 1 } });
    expect(await inputsOf(id)).toEqual([{ n: 1 }]);
    expect(await context?.emit([{ json: { n: 1 } }], { key: 'm1' })).toMatchObject({ id: emitted?.id, repeated: true });
    expect(await emitted?.ended()).toBe('success');
    expect(await triggerOf(id)).toMatchObject({ heldBy: expect.any(String), failures: 0 });
  });

  test('are shared among the workers', async () => {
    recording();
    const running = await Promise.all([aWorker(), aWorker()]);
    for (let n = 0; n < 4; n += 1) await active(listening);
    await eventually(() => running.every(({ context }) => context.sources.clock.listeners === 2));
  });

  test('one whose worker stops renewing it is taken over; events of the old one are refused', async () => {
    const contexts = recording();
    const id = await active(listening);
    const frozen = await aWorker();
    const [old] = await started(contexts, 1);
    frozen.context.sources.holds.stop();
    await aWorker();
    const [, young] = await started(contexts, 2);
    await expect(old?.emit([{ json: { from: 'old' } }])).rejects.toMatchObject({ code: 'TRIGGER_CLOSED' });
    await young?.emit([{ json: { from: 'young' } }]);
    expect(await inputsOf(id)).toEqual([{ from: 'young' }]);
    await started(contexts, 1);
  });

  test('a worker that shuts down releases its listeners at once', async () => {
    const contexts = recording();
    const id = await active(listening);
    const first = await aWorker();
    await started(contexts, 1);
    const { heldBy } = await triggerOf(id);
    await aWorker();
    await first.stop();
    expect((await triggerOf(id)).heldBy).not.toBe(heldBy);
    await started(contexts, 1);
  });

  test('deactivation closes it, and after its response nothing starts', async () => {
    const contexts = recording();
    const id = await active(listening);
    await aWorker();
    const [context] = await started(contexts, 1);
    await deactivate(id);
    await expect(context?.emit([{ json: {} }])).rejects.toMatchObject({ code: 'TRIGGER_CLOSED' });
    await eventually(() => contexts.length === 0);
    expect(context?.signal.aborted).toBe(true);
    expect(await inputsOf(id)).toEqual([]);
  });

  test('one that fails to start or loses its connection is shown, and restarted', async () => {
    let starts = 0;
    const contexts: ListenContext[] = [];
    trigger = async (context) => {
      starts += 1;
      if (starts === 1) throw new Error('no broker');
      contexts.push(context);
      return { close: async () => undefined };
    };
    const id = await active(listening);
    await aWorker();
    await eventually(async () => (await triggerOf(id)).lastError === 'no broker');
    await started(contexts, 1);
    contexts[0]?.failed(new Error('connection reset'));
    await eventually(async () => (await triggerOf(id)).lastError === 'connection reset');
    expect((await triggerOf(id)).failures).toBe(2);
    await started(contexts, 2);
    await eventually(async () => (await triggerOf(id)).failures === 0);
  });

  test('events before a failure start executions', async () => {
    const contexts = recording();
    const id = await active(listening);
    await aWorker();
    const [context] = await started(contexts, 1);
    for (let n = 0; n < 150; n++) void context?.emit([{ json: { n } }]);
    context?.failed(new Error('connection reset'));
    await eventually(async () => (await triggerOf(id)).lastError === 'connection reset');
    expect(await inputsOf(id)).toHaveLength(150);
  });

  test('one that returns no close function has failed', async () => {
    trigger = async () => null as never;
    const id = await active(listening);
    await aWorker();
    await eventually(async () => expect((await triggerOf(id)).lastError).toContain('an object with close()'));
  });

  test('events of a burst that exceed the buffer are shown at the trigger, and those before them start', async () => {
    const contexts = recording();
    const id = await active(listening);
    await aWorker();
    const [context] = await started(contexts, 1);
    const burst = Array.from({ length: 1_020 }, (_, n) => context?.emit([{ json: { n } }]));
    const refused = (await Promise.allSettled(burst)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(20);
    const lastError = '20 events were refused, since 1000 waited to be stored already';
    expect(await triggerOf(id)).toMatchObject({ failures: 1, lastError });
    await context?.emit([{ json: {} }]);
    expect(await triggerOf(id)).toMatchObject({ failures: 0, lastError: null });
  });

  test('a full queue refuses the event, and so does a limit; the emitter need not handle that', async () => {
    const contexts = recording();
    const id = await active(listening);
    await aWorker({ QUEUED_MAX_PER_PROJECT: '1', NODE_RUN_MAX_BYTES: '65536' });
    const [context] = await started(contexts, 1);
    void context?.emit([{ json: { text: 'x'.repeat(70_000) } }]);
    await expect(context?.emit([{ json: { text: 'x'.repeat(70_000) } }])).rejects.toMatchObject({
      code: 'TRIGGER_DATA_TOO_LARGE',
    });
    await sql`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode, queued_at)
      SELECT w.id, w.project_id, v.graph_hash, 'new', 'manual', now() FROM workflows w
      JOIN workflow_versions v ON v.id = w.active_version_id WHERE w.id = ${id}`.execute(fleet.db.kysely);
    await context?.emit([{ json: {} }]).catch(() => undefined);
    await expect(context?.emit([{ json: {} }])).rejects.toMatchObject({ code: 'QUEUE_FULL', retryable: true });
  });
});

describe('polls and listeners of a type that some workers lack', () => {
  const without = { ...noNodePackages, nodeTypes: new Map() };

  test('are left to workers that have it, and nothing fails', async () => {
    const contexts = recording();
    poll = async () => [{ json: { found: true } }];
    const [lacking] = [await aWorker({}, without), await aWorker()];
    const polled = await active({ ...everySecond, foreignType: 'test.poller' });
    const listened = await active({ ...listening, foreignType: 'test.listener' });
    await started(contexts, 1);
    await inputsOf(polled, 3);
    const workerId = lacking?.context.lease.workerId;
    for (const id of [polled, listened]) {
      expect(await triggerOf(id)).toMatchObject({ failures: 0, lastError: null });
      expect((await triggerOf(id)).heldBy).not.toBe(workerId);
    }
  });

  test('fail visibly if no worker has it, and continue soon after one starts', async () => {
    const contexts = recording();
    await fleet.db.kysely.deleteFrom('worker_types').execute();
    const id = await active({ ...listening, foreignType: 'test.listener' });
    await aWorker({}, without);
    await eventually(async () => (await triggerOf(id)).failures > 0);
    expect((await triggerOf(id)).lastError).toContain('test.listener');
    await aWorker();
    await started(contexts, 1);
    await eventually(async () => (await triggerOf(id)).failures === 0);
  });
});
