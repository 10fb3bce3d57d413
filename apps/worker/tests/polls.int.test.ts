import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { Access, CredentialRepository, ExecutionRepository, SourceStartRepository, TriggerSourceRepository } from '@sluice/db';
import { currentMemory, gatherBytes, isTerminal, randomId, UnavailableError } from '@sluice/domain';
import type { ListenContext, PollContext } from '@sluice/node-sdk';
import { eventually, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { sql } from 'kysely';
import { everySecond, listening, opened, SourceFleet } from './support/source-fleet.ts';

const all = new Access('all');

const fleet = await SourceFleet.start();
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('polls', () => {
  test('run one at a time on three workers, each with the cursor of the previous poll', async () => {
    let [inFlight, most] = [0, 0];
    fleet.poll = async (context) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await pause(300);
      inFlight -= 1;
      const n = Number(context.cursor?.['n'] ?? 0) + 1;
      context.saveCursor({ n });
      return [{ json: { n } }];
    };
    const id = await fleet.activate(everySecond);
    await Promise.all([fleet.worker(), fleet.worker(), fleet.worker()]);
    const items = await fleet.inputsOf(id, 4);
    expect(items.map(({ n }) => n)).toEqual(items.map((_, i) => i + 1));
    expect(most).toBe(1);
    const executions = new ExecutionRepository(fleet.db);
    const { last_execution_id } = await fleet.db.kysely
      .selectFrom('triggers')
      .select('last_execution_id')
      .where('workflow_id', '=', id)
      .executeTakeFirstOrThrow();
    await eventually(async () => isTerminal((await executions.get(last_execution_id ?? '', all)).status));
  });

  test('also start executions for items on other outputs, which emit the items on these outputs', async () => {
    let isFirst = true;
    fleet.poll = async () => {
      const outputs = isFirst ? [[{ json: { at: 0 } }], null, [{ json: { at: 2 } }]] : null;
      isFirst = false;
      return outputs;
    };
    const id = await fleet.activate(everySecond);
    await fleet.worker();
    expect(await fleet.inputsOf(id, 2)).toEqual([{ at: 0 }, { at: 2 }]);
    expect((await fleet.triggersOf(id)).map(({ output }) => output)).toEqual([0, 2]);
  });

  test('receive the static data that the nodes of the workflow share from the previous poll or from a listener', async () => {
    const seen: number[] = [];
    const count = async ({ sharedData }: ListenContext | PollContext) => {
      const n = Number((await sharedData?.read())?.['n'] ?? 0) + 1;
      sharedData?.save({ n });
      return n;
    };
    fleet.poll = async (context) => {
      seen.push(await count(context));
      if (seen.length === 2) throw new Error('what this poll keeps is forgotten');
      return [{ json: { n: seen.at(-1) ?? 0 } }];
    };
    const polling = await fleet.activate(everySecond);
    await fleet.worker();
    await eventually(() => seen.length >= 4);
    expect(seen.slice(0, 4)).toEqual([1, 2, 2, 3]);
    await fleet.deactivate(polling);
    let received = 0;
    fleet.trigger = async (context) => {
      received = await count(context);
      await context.emit([{ json: { n: received } }]);
      return { close: async () => undefined };
    };
    const id = await fleet.activate(listening);
    expect(await fleet.inputsOf(id, 1)).toEqual([{ n: 1 }]);
    const { static_data } = await fleet.db.kysely
      .selectFrom('workflows')
      .select('static_data')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(static_data).toEqual({ global: { n: 1 } });
  });

  test('share the worker’s memory with executions until they end', async () => {
    const sizes: (number | undefined)[] = [];
    const chunks = async function* () {
      yield Buffer.alloc(5_000);
    };
    fleet.poll = async () => {
      await gatherBytes(chunks());
      sizes.push(currentMemory()?.size);
      return null;
    };
    await fleet.activate(everySecond);
    await fleet.worker();
    await eventually(() => sizes.length >= 2);
    expect(sizes.slice(0, 2)).toEqual([10_000, 10_000]);
  });

  test('without items start nothing but advance the cursor', async () => {
    const seen: unknown[] = [];
    fleet.poll = async ({ cursor, saveCursor }) => {
      seen.push(cursor);
      saveCursor({ n: seen.length });
      return seen.length % 2 === 0 ? null : [];
    };
    const id = await fleet.activate(everySecond);
    await fleet.worker();
    await eventually(() => seen.length >= 3);
    expect(seen.slice(0, 3)).toEqual([undefined, { n: 1 }, { n: 2 }]);
    expect(await fleet.inputsOf(id)).toEqual([]);
  });

  test('that throw are reported at the trigger and repeated with the old cursor', async () => {
    const seen: unknown[] = [];
    const { promise: repaired, resolve: repair } = Promise.withResolvers<void>();
    fleet.poll = async ({ cursor, saveCursor }) => {
      seen.push(cursor);
      saveCursor({ wrong: true });
      if (seen.length === 3) await repaired;
      if (seen.length < 3) throw new Error('the feed is away');
      saveCursor({ right: true });
      return [{ json: { ok: true } }];
    };
    const id = await fleet.activate(everySecond);
    await fleet.worker();
    await eventually(async () => (await fleet.triggerOf(id)).failures === 2);
    expect(await fleet.triggerOf(id)).toMatchObject({ lastError: 'the feed is away', retryAt: expect.any(Date) });
    repair();
    expect(await fleet.inputsOf(id, 1)).toEqual([{ ok: true }]);
    await eventually(async () => (await fleet.triggerOf(id)).failures === 0);
    expect(seen.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  });

  test('whose executions a full queue rejects are reported at the trigger and repeated with the old cursor', async () => {
    const seen: unknown[] = [];
    fleet.poll = async ({ cursor, saveCursor }) => {
      seen.push(cursor);
      saveCursor({ n: seen.length });
      return [{ json: {} }];
    };
    const id = await fleet.activate(everySecond);
    await sql`INSERT INTO executions (workflow_id, project_id, graph_hash, status, mode, queued_at)
      SELECT w.id, w.project_id, v.graph_hash, 'new', 'manual', now() FROM workflows w
      JOIN workflow_versions v ON v.id = w.active_version_id WHERE w.id = ${id}`.execute(fleet.db.kysely);
    await fleet.worker({ QUEUED_MAX_PER_PROJECT: '1' });
    await eventually(async () => (await fleet.triggerOf(id)).failures === 2);
    const lastError = expect.stringContaining('reached its limit of executions waiting to start');
    expect(await fleet.triggerOf(id)).toMatchObject({ lastError, retryAt: expect.any(Date) });
    expect(seen).toEqual([undefined, undefined]);
  });

  test('that take too long are abandoned', async () => {
    let aborted = false;
    fleet.poll = ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    };
    const id = await fleet.activate(everySecond);
    await fleet.worker({ POLL_TIMEOUT_MS: '1000' });
    await eventually(async () => (await fleet.triggerOf(id)).lastError === 'the poll did not finish within 1 seconds');
    expect(aborted).toBe(true);
  });

  test('that never end leave places to other projects', async () => {
    let others = 0;
    fleet.poll = async (context) => {
      if (context.parameter('project', 0) === 'other') others += 1;
      else await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      return null;
    };
    for (let n = 0; n < 6; n += 1) await fleet.activate(everySecond, { project: 'endless' });
    await fleet.activate(everySecond, { project: 'other' }, {}, await fleet.anotherProject());
    await fleet.worker({ POLLS_MAX: '4' });
    await eventually(() => others >= 3, { timeoutMs: 20_000 });
  });

  test('in flight start nothing after a deactivation has returned', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasStarted = false;
    fleet.poll = async () => {
      hasStarted = true;
      await gate;
      return [{ json: {} }];
    };
    const id = await fleet.activate(everySecond);
    await fleet.worker();
    await eventually(() => hasStarted);
    await fleet.deactivate(id);
    release();
    await pause(1_500);
    expect(await fleet.inputsOf(id)).toEqual([]);
  });
});

test('a poll does not store secrets of credentials, and has one entry in the audit log for their use', async () => {
  const subject = { id: randomId(), type: 'httpBasicAuth' };
  const sealed = new Vault(KeyRing.parse([testMasterKey])).seal(subject, { user: 'ann', password: 'a-secret-pass-word' });
  const head = { projectId: fleet.projectId, name: 'c', isGlobal: false, isResolvable: false };
  await new CredentialRepository(fleet.db.kysely).create({ ...subject, ...head, sealed });
  let polls = 0;
  fleet.poll = async (context) => {
    const { user, password } = await context.credentials('httpBasicAuth', 0);
    polls += 1;
    context.saveCursor({ password: password ?? null });
    if (polls > 1) throw new Error(`refused: ${password}`);
    return [{ json: { user: user ?? null, password: password ?? null } }];
  };
  const id = await fleet.activate(everySecond, {}, { httpBasicAuth: { id: subject.id, name: 'c' } });
  await fleet.worker();
  const lastError = await eventually(async () => (await fleet.triggerOf(id)).lastError ?? false);
  expect(lastError).toMatch(/^refused: /);
  const [item] = await fleet.inputsOf(id, 1);
  expect(item?.['user']).toBe('ann');
  const { rows } = await sql<{ text: string }>`SELECT encode(cursor, 'escape') AS text FROM trigger_sources
    WHERE workflow_id = ${id}`.execute(fleet.db.kysely);
  expect(JSON.stringify([lastError, item, rows])).not.toContain('secret-pass');
  const uses = () => fleet.db.kysely.selectFrom('audit_log').selectAll().where('actor', '=', `workflow:${id}`).execute();
  await eventually(async () => expect(await uses()).toHaveLength(1));
  expect((await uses())[0]).toMatchObject({ action: 'credential.use', object_id: subject.id, outcome: 'success' });
});

test('a poll can read only the files that it has just created, and evaluates string parameters of its type', async () => {
  fleet.poll = async ({ binary, evaluateText }) => {
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
  const id = await fleet.activate(everySecond);
  await fleet.worker();
  const [item] = await fleet.inputsOf(id, 1);
  expect(item).toEqual({ read: 'made by a poll', next: 7, other: 'BINARY_NOT_FOUND' });
});

test('a file of a poll is referenced by the execution that it starts', async () => {
  let polls = 0;
  fleet.poll = async ({ binary }) => {
    polls += 1;
    if (polls > 1) return null;
    const file = await binary.store(Buffer.from('some bytes'), { fileName: 'a.txt' });
    return [{ json: {}, binary: { data: file } }];
  };
  const id = await fleet.activate(everySecond);
  await fleet.worker();
  const rows = await eventually(async () => {
    const files = await fleet.db.kysely
      .selectFrom('binary_data as b')
      .innerJoin('executions as e', 'e.id', 'b.execution_id')
      .select(['b.file_name', 'b.size'])
      .where('e.workflow_id', '=', id)
      .execute();
    return files.length > 0 && files;
  });
  expect(rows).toEqual([{ file_name: 'a.txt', size: '10' }]);
});

/** The next commit succeeds, but its reply is lost. */
function loseOneReply(): void {
  const { commit } = SourceStartRepository.prototype;
  jest.spyOn(SourceStartRepository.prototype, 'commit').mockImplementationOnce(async function (
    this: SourceStartRepository,
    ...all
  ) {
    await commit.apply(this, all);
    throw new UnavailableError('the reply was lost');
  });
}

test('a file of a poll is kept for its execution if the reply to the commit is lost', async () => {
  let polls = 0;
  let fileId = '';
  loseOneReply();
  fleet.poll = async ({ binary }) => {
    polls += 1;
    if (polls > 1) return null;
    const file = await binary.store(Buffer.from('some bytes'), { fileName: 'a.txt' });
    fileId = file.id ?? '';
    return [{ json: {}, binary: { data: file } }];
  };
  const id = await fleet.activate(everySecond);
  await fleet.worker();
  await fleet.inputsOf(id, 1);
  await pause(1_000); // the first poll commits again, is rejected, and ends
  const files = await fleet.db.kysely.selectFrom('binary_data').select('id').execute();
  const stored = await readdir(fleet.folder, { recursive: true });
  expect(files.map(({ id }) => id)).toEqual([fileId]);
  expect(stored.some((path) => path.endsWith(fileId))).toBe(true);
});

test('a file of an event is kept for its execution if the reply to the commit is lost', async () => {
  const contexts = fleet.recordListeners();
  const id = await fleet.activate(listening);
  await fleet.worker();
  const [context] = await opened(contexts, 1);
  if (!context) throw new Error('nothing listens');
  const file = await context.binary.store(Buffer.from('some bytes'), { fileName: 'a.txt' });
  loseOneReply();
  await expect(context.emit([{ json: {}, binary: { data: file } }])).rejects.toThrow('the reply was lost');
  await fleet.inputsOf(id, 1);
  await fleet.deactivate(id);
  await eventually(() => contexts.length === 0);
  await pause(500); // it deletes its files
  expect((await readdir(fleet.folder, { recursive: true })).some((path) => path.endsWith(file.id ?? ''))).toBe(true);
});

test('a file of an event is kept for its execution if the listener ends while rejected events are recorded', async () => {
  const contexts = fleet.recordListeners();
  const id = await fleet.activate(listening);
  await fleet.worker();
  const [context] = await opened(contexts, 1);
  if (!context) throw new Error('nothing listens');
  const file = await context.binary.store(Buffer.from('some bytes'), { fileName: 'a.txt' });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const noting = jest.spyOn(TriggerSourceRepository.prototype, 'note').mockReturnValueOnce(ended);
  const burst = Array.from({ length: 1_001 }, (_, n) =>
    context.emit([{ json: {}, ...(n === 999 && { binary: { data: file } }) }]),
  );
  const refused = Promise.allSettled(burst);
  await eventually(() => expect(noting).toHaveBeenCalled());
  await fleet.deactivate(id);
  await eventually(() => contexts.length === 0);
  await pause(500); // it deletes its files
  end();
  expect((await refused).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect((await readdir(fleet.folder, { recursive: true })).some((path) => path.endsWith(file.id ?? ''))).toBe(true);
});
