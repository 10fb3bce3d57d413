import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { ExecutionRecorder, NewNodeRun } from '@sluice/db';
import type { JsonObject, NodeRun, NodeRunRecord } from '@sluice/domain';
import { MemoryBudget } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { SecretScrubber } from '@sluice/vault';
import type { ExecutionReport } from '../client-messages/progress-reporter.ts';
import { NodeRunRecorder, type NodeRunRecorderOptions } from './node-run-recorder.ts';

/** A recorder that records its calls and whose replies the test controls. */
function controlledRecorder() {
  const batches: (readonly NewNodeRun[])[] = [];
  const responses: ((ours: boolean) => void)[] = [];
  const append = (batch: readonly NewNodeRun[]) => {
    batches.push(batch);
    return new Promise<boolean>((resolve) => responses.push(resolve));
  };
  /** Replies to the call in flight and allows the next call. */
  const response = async (ours = true) => {
    responses.shift()?.(ours);
    await nextTurn();
  };
  const seqs = () => batches.map((batch) => batch.map(({ seq }) => seq));
  return { seqs, response, recorder: { append } as unknown as ExecutionRecorder };
}

/** A recorder that replies immediately. */
function openRecorder() {
  const rows: NewNodeRun[] = [];
  const append = async (batch: readonly NewNodeRun[]) => rows.push(...batch) > 0;
  return { rows, recorder: { append } as unknown as ExecutionRecorder };
}

const aReport = (isWatched: boolean) =>
  ({ isWatched, nodeStarted() {}, nodeFinished() {}, changed() {} }) as unknown as ExecutionReport;

function aLog(recorder: ExecutionRecorder, changes: Partial<NodeRunRecorderOptions> = {}): NodeRunRecorder {
  return new NodeRunRecorder(recorder, {
    ref: { executionId: '1', attempt: 1 },
    claim: { isOwned: true, ensure: () => undefined },
    limits: { nodeRunMaxBytes: 1_000, executionMaxBytes: 2_000 },
    stored: { count: 0, bytes: 0 },
    signal: new AbortController().signal,
    scrubber: new SecretScrubber(),
    report: aReport(false),
    pace: { deferMs: () => 5 },
    memory: new MemoryBudget({ limit: 1024 ** 2, inUse: () => 0 }).open(new AbortController().signal),
    ...changes,
  });
}

function aRecord(json: JsonObject, changes: Partial<NodeRun> = {}): NodeRunRecord {
  const data = { main: [[{ json }]] };
  return {
    nodeName: 'Set',
    runIndex: 0,
    run: { startTime: 1, executionTime: 1, executionStatus: 'success', source: [], data, ...changes },
  };
}
const start = (mayAct: boolean) => ({ nodeName: 'Set', runIndex: 0, mayAct });

/** A complete node run. */
async function runNode(
  log: NodeRunRecorder,
  { mayAct = false, json = {} }: { mayAct?: boolean; json?: JsonObject } = {},
): Promise<void> {
  await log.nodeStarted(start(mayAct));
  await log.nodeFinished(aRecord(json));
}

const busyPace: NodeRunRecorderOptions['pace'] = { deferMs: ({ isWatched }) => (isWatched ? 5 : 60_000) };
const unlimited = { limits: { nodeRunMaxBytes: 1e8, executionMaxBytes: 1e8 } };

const ofBytes = (count: number) => ({ text: 'x'.repeat(count) });
const deep = (levels: number): JsonObject => {
  let value: JsonObject = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
};

/** The record that is stored in place of a rejected node run. */
function refusal(rows: readonly NewNodeRun[]) {
  const row = rows.at(-1);
  return { failed: row?.failed, run: JSON.parse(row?.json ?? 'null') as NodeRun };
}
const refused = (code: string) => ({
  failed: true,
  run: {
    startTime: 1,
    executionTime: 1,
    executionStatus: 'error',
    source: [],
    truncated: true,
    error: { code, node: 'Set', message: expect.stringContaining('"Set"'), description: expect.any(String) },
  },
});

test('a node run above its size limit is stored as failed without data, and fails the execution with an error that names the node', async () => {
  const { rows, recorder } = openRecorder();
  const log = aLog(recorder);
  await expect(async () => log.nodeFinished(aRecord(ofBytes(1_000)))).rejects.toThrow(
    expect.objectContaining({
      code: 'RUN_DATA_TOO_LARGE',
      nodeName: 'Set',
      description: expect.stringContaining('NODE_RUN_MAX_BYTES'),
    }),
  );
  await log.flush();
  expect(refusal(rows)).toEqual(refused('RUN_DATA_TOO_LARGE'));
});

test('a node run that exceeds the limit of the execution is rejected in the same way', async () => {
  const { rows, recorder } = openRecorder();
  const log = aLog(recorder);
  for (let i = 0; i < 2; i += 1) void log.nodeFinished(aRecord(ofBytes(800)));
  await expect(async () => log.nodeFinished(aRecord(ofBytes(800)))).rejects.toThrow(
    expect.objectContaining({ code: 'RUN_DATA_TOO_LARGE', description: expect.stringContaining('EXECUTION_MAX_BYTES') }),
  );
  await log.flush();
  expect(rows.map((row) => [row.seq, row.failed])).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ]);
  expect(refusal(rows)).toEqual(refused('RUN_DATA_TOO_LARGE'));
});

test("node runs kept by a retry count toward the execution's limit and come first", async () => {
  const { rows, recorder } = openRecorder();
  const log = aLog(recorder, { stored: { count: 3, bytes: 1_500 } });
  await expect(async () => log.nodeFinished(aRecord(ofBytes(800)))).rejects.toThrow(
    expect.objectContaining({ code: 'RUN_DATA_TOO_LARGE' }),
  );
  await log.flush();
  expect(rows.map((row) => row.seq)).toEqual([3]);
});

test.each([600, 50_000])(
  'data nested %d levels deep is rejected in the output and in the context of a node',
  async (levels) => {
    const limits = { nodeRunMaxBytes: 1e6, executionMaxBytes: 1e6 };
    for (const record of [aRecord(deep(levels)), aRecord({}, { contextAfter: deep(levels) })]) {
      const { rows, recorder } = openRecorder();
      const log = aLog(recorder, { limits });
      await expect(async () => log.nodeFinished(record)).rejects.toMatchObject({ code: 'RUN_DATA_TOO_DEEP', nodeName: 'Set' });
      await log.flush();
      expect(refusal(rows)).toEqual(refused('RUN_DATA_TOO_DEEP'));
    }
  },
);

const circular: Record<string, unknown> = {};
circular['self'] = circular;

test.each([
  ['a BigInt', 1n, 'BigInt'],
  ['an object that contains itself', circular, 'circular'],
])('%s is not a valid output', async (_, value, reason) => {
  const { rows, recorder } = openRecorder();
  const log = aLog(recorder);
  await expect(async () => log.nodeFinished(aRecord({ value } as unknown as JsonObject))).rejects.toMatchObject({
    code: 'INVALID_NODE_OUTPUT',
    message: expect.stringContaining(reason),
  });
  await log.flush();
  expect(refusal(rows)).toEqual(refused('INVALID_NODE_OUTPUT'));
});

test('data nested 500 levels deep is stored', async () => {
  const { rows, recorder } = openRecorder();
  const log = aLog(recorder, { limits: { nodeRunMaxBytes: 1e6, executionMaxBytes: 1e6 } });
  void log.nodeFinished(aRecord(deep(500)));
  await log.flush();
  expect(rows.map((row) => row.failed)).toEqual([false]);
});

test('the engine continues while up to 63 node runs wait for the statement in flight, then pauses', async () => {
  const { response, recorder } = controlledRecorder();
  const log = aLog(recorder, unlimited);
  expect(log.nodeFinished(aRecord(ofBytes(70_000)))).toBeUndefined();
  for (let i = 1; i < 64; i += 1) expect(log.nodeFinished(aRecord({}))).toBeUndefined();
  const waiting = log.nodeFinished(aRecord({}));
  expect(waiting).toBeInstanceOf(Promise);
  await response();
  await waiting;
});

describe('node runs without side effects', () => {
  test('are stored with the end of the execution in a single statement if the execution is short', async () => {
    const { seqs, recorder } = controlledRecorder();
    const log = aLog(recorder, unlimited);
    for (let i = 0; i < 100; i += 1) await runNode(log);
    expect((await log.rest()).map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, seq) => seq));
    await delay(20);
    expect(seqs()).toEqual([]);
  });

  test('are stored after a short delay while the execution continues', async () => {
    const { seqs, recorder } = controlledRecorder();
    await runNode(aLog(recorder));
    expect(seqs()).toEqual([]);
    await eventually(() => seqs().length > 0);
    expect(seqs()).toEqual([[0]]);
  });

  test('are stored after a longer delay on a busy worker, unless the execution ends first', async () => {
    const { seqs, recorder } = controlledRecorder();
    const log = aLog(recorder, { pace: busyPace });
    await runNode(log);
    await delay(50);
    expect(seqs()).toEqual([]);
    expect((await log.rest()).map(({ seq }) => seq)).toEqual([0]);
  });

  test('are stored after a short delay on a busy worker if clients follow the execution', async () => {
    const { seqs, recorder } = controlledRecorder();
    await runNode(aLog(recorder, { pace: busyPace, report: aReport(true) }));
    await eventually(() => seqs().length > 0);
    expect(seqs()).toEqual([[0]]);
  });

  test('are deferred only if they are small', async () => {
    const { seqs, recorder } = controlledRecorder();
    const log = aLog(recorder, unlimited);
    await runNode(log);
    await runNode(log, { json: ofBytes(100_000) });
    expect(seqs()).toEqual([[0, 1]]);
  });
});

describe('a node with possible side effects', () => {
  test('does not start before all deferred runs are stored', async () => {
    const { seqs, response, recorder } = controlledRecorder();
    const log = aLog(recorder);
    await runNode(log);
    await runNode(log);
    const started = watched(log.nodeStarted(start(true)));
    await nextTurn();
    expect([seqs(), started.is]).toEqual([[[0, 1]], false]);
    await response();
    expect(started.is).toBe(true);
  });

  test('is stored before any other node starts, even one without side effects', async () => {
    const { seqs, response, recorder } = controlledRecorder();
    const log = aLog(recorder);
    await runNode(log, { mayAct: true });
    const started = watched(log.nodeStarted(start(false)));
    await nextTurn();
    expect([seqs(), started.is]).toEqual([[[0]], false]);
    await response();
    expect(started.is).toBe(true);
    expect(log.nodeFinished(aRecord({}))).toBeUndefined();
    expect(log.nodeStarted(start(false))).toBeUndefined();
  });

  test('is stored with the end of the execution if it is the last node', async () => {
    const { seqs, recorder } = controlledRecorder();
    const log = aLog(recorder);
    await runNode(log, { mayAct: true });
    expect((await log.rest()).map(({ seq }) => seq)).toEqual([0]);
    await delay(20);
    expect(seqs()).toEqual([]);
  });

  test('is stored immediately if the execution pauses before it continues', async () => {
    const { seqs, recorder } = controlledRecorder();
    await runNode(aLog(recorder), { mayAct: true });
    await nextTurn();
    expect(seqs()).toEqual([[0]]);
  });

  test('does not start if the execution is lost, whether that is detected now or was detected before', async () => {
    const { response, recorder } = controlledRecorder();
    const log = aLog(recorder);
    await runNode(log);
    const started = log.nodeStarted(start(true));
    await Promise.all([expect(started).rejects.toMatchObject({ code: 'EXECUTION_LOST' }), response(false)]);
    await expect(log.nodeStarted(start(true))).rejects.toMatchObject({ code: 'EXECUTION_LOST' });
  });
});

describe('one statement is in flight at a time', () => {
  test('so stored runs have no gaps: nothing is written after a failed write', async () => {
    const { seqs, response, recorder } = controlledRecorder();
    const log = aLog(recorder, unlimited);
    for (let i = 0; i < 6; i += 1) await runNode(log, { json: ofBytes(30_000) });
    expect(seqs()).toEqual([[0, 1, 2]]);
    await response();
    expect(seqs()[1]).toEqual([3, 4, 5]);
    for (let i = 0; i < 3; i += 1) await runNode(log, { json: ofBytes(30_000) });
    await response(false);
    await expect(log.flush()).rejects.toMatchObject({ code: 'EXECUTION_LOST' });
    expect(seqs()).toHaveLength(2);
  });

  test('later runs are sent in batches of 4 MiB', async () => {
    const { seqs, response, recorder } = controlledRecorder();
    const log = aLog(recorder, unlimited);
    for (let i = 0; i < 4; i += 1) await runNode(log, { json: ofBytes(1_500_000) });
    await runNode(log, { json: ofBytes(5_000_000) });
    const flushed = log.flush();
    for (let i = 0; i < 4; i += 1) await response();
    await flushed;
    expect(seqs()).toEqual([[0], [1, 2], [3], [4]]);
  });

  test('the remaining runs wait for the statement in flight when the execution ends', async () => {
    const { seqs, response, recorder } = controlledRecorder();
    const log = aLog(recorder, unlimited);
    await runNode(log, { json: ofBytes(70_000) });
    await runNode(log);
    const rest = watched(log.rest());
    await nextTurn();
    expect(rest.is).toBe(false);
    await response();
    expect((await rest.promise)?.map(({ seq }) => seq)).toEqual([1]);
    expect(seqs()).toHaveLength(1);
  });
});

test('a failed guard ends the run, because the execution is lost', async () => {
  const { response, recorder } = controlledRecorder();
  const log = aLog(recorder);
  void log.nodeFinished(aRecord({}));
  const flushed = log.flush();
  await Promise.all([expect(flushed).rejects.toMatchObject({ code: 'EXECUTION_LOST' }), response(false)]);
  expect(() => log.nodeFinished(aRecord({}))).toThrow(expect.objectContaining({ code: 'EXECUTION_LOST' }));
});

function watched<T>(value: T | Promise<T>) {
  const seen = { is: false, promise: Promise.resolve(value) };
  void seen.promise.then(() => {
    seen.is = true;
  });
  return seen;
}
