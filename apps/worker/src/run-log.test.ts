import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { ExecutionRecorder, NewNodeRun } from '@sluice/db';
import type { JsonObject, NodeRun, NodeRunRecord } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { SecretScrubber } from '@sluice/vault';
import type { ExecutionReport } from './progress-reporter.ts';
import { RunLog, type RunLogOptions } from './run-log.ts';

/** A recorder that answers when told to, and remembers what it was given. */
function heldRecorder() {
  const rows: NewNodeRun[] = [];
  const answers: ((ours: boolean) => void)[] = [];
  const append = (row: NewNodeRun) => {
    rows.push(row);
    return new Promise<boolean>((resolve) => answers.push(resolve));
  };
  const answerAll = (ours = true) => {
    for (const answer of answers.splice(0)) answer(ours);
  };
  return { rows, answers, answerAll, recorder: { append } as unknown as ExecutionRecorder };
}

const report = { nodeStarted() {}, nodeFinished() {}, changed() {} } as unknown as ExecutionReport;

function aLog(recorder: ExecutionRecorder, changes: Partial<RunLogOptions> = {}): RunLog {
  return new RunLog(recorder, {
    ref: { executionId: '1', attempt: 1 },
    limits: { nodeRunMaxBytes: 1_000, executionMaxBytes: 2_000 },
    stored: { count: 0, bytes: 0 },
    signal: new AbortController().signal,
    scrubber: new SecretScrubber(),
    report,
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
const ofBytes = (count: number) => ({ text: 'x'.repeat(count) });
const deep = (levels: number): JsonObject => {
  let value: JsonObject = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
};

/** What was stored in place of a node run that was refused. */
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

test('a node run over its cap is stored as failed, without data, and ends the run with an error that names the node', () => {
  const { rows, recorder } = heldRecorder();
  expect(() => aLog(recorder).nodeFinished(aRecord(ofBytes(1_000)))).toThrow(
    expect.objectContaining({
      code: 'RUN_DATA_TOO_LARGE',
      nodeName: 'Set',
      description: expect.stringContaining('NODE_RUN_MAX_BYTES'),
    }),
  );
  expect(refusal(rows)).toEqual(refused('RUN_DATA_TOO_LARGE'));
});

test('the node run that takes the execution over its cap is refused in the same way', () => {
  const { rows, recorder } = heldRecorder();
  const log = aLog(recorder);
  for (let i = 0; i < 2; i += 1) void log.nodeFinished(aRecord(ofBytes(800)));
  expect(() => log.nodeFinished(aRecord(ofBytes(800)))).toThrow(
    expect.objectContaining({ code: 'RUN_DATA_TOO_LARGE', description: expect.stringContaining('EXECUTION_MAX_BYTES') }),
  );
  expect(rows.map((row) => [row.seq, row.failed])).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ]);
  expect(refusal(rows)).toEqual(refused('RUN_DATA_TOO_LARGE'));
});

test('what a retry took over counts towards the cap of the execution and comes first', () => {
  const { rows, recorder } = heldRecorder();
  const log = aLog(recorder, { stored: { count: 3, bytes: 1_500 } });
  expect(() => log.nodeFinished(aRecord(ofBytes(800)))).toThrow(expect.objectContaining({ code: 'RUN_DATA_TOO_LARGE' }));
  expect(rows.map((row) => row.seq)).toEqual([3]);
});

test.each([600, 50_000])('data nested %d levels are refused, whether the node gives or keeps them', (levels) => {
  const limits = { nodeRunMaxBytes: 1e6, executionMaxBytes: 1e6 };
  for (const record of [aRecord(deep(levels)), aRecord({}, { contextAfter: deep(levels) })]) {
    const { rows, recorder } = heldRecorder();
    expect(() => aLog(recorder, { limits }).nodeFinished(record)).toThrow(
      expect.objectContaining({ code: 'RUN_DATA_TOO_DEEP', nodeName: 'Set' }),
    );
    expect(refusal(rows)).toEqual(refused('RUN_DATA_TOO_DEEP'));
  }
});

const circular: Record<string, unknown> = {};
circular['self'] = circular;

test.each([
  ['a BigInt', 1n, 'BigInt'],
  ['an object that holds itself', circular, 'circular'],
])('%s is no valid output', (_, value, reason) => {
  const { rows, recorder } = heldRecorder();
  expect(() => aLog(recorder).nodeFinished(aRecord({ value } as unknown as JsonObject))).toThrow(
    expect.objectContaining({ code: 'INVALID_NODE_OUTPUT', message: expect.stringContaining(reason) }),
  );
  expect(refusal(rows)).toEqual(refused('INVALID_NODE_OUTPUT'));
});

test('data nested 500 levels are stored', () => {
  const { rows, recorder } = heldRecorder();
  const log = aLog(recorder, { limits: { nodeRunMaxBytes: 1e6, executionMaxBytes: 1e6 } });
  void log.nodeFinished(aRecord(deep(500)));
  void log.flush();
  expect(rows.map((row) => row.failed)).toEqual([false]);
});

test('the engine goes on while node runs are being stored, and waits from the 32nd that is pending', async () => {
  const { answers, answerAll, recorder } = heldRecorder();
  const log = aLog(recorder, { limits: { nodeRunMaxBytes: 1e6, executionMaxBytes: 1e6 } });
  for (let i = 1; i < 32; i += 1) expect(log.nodeFinished(aRecord({}))).toBeUndefined();
  const waiting = log.nodeFinished(aRecord({}));
  expect(waiting).toBeInstanceOf(Promise);
  answers.shift()?.(true);
  await waiting;
  answerAll();
  await log.flush();
});

test('what a run has left when it is over at once is stored with its end, and by nothing else', async () => {
  const { rows, recorder } = heldRecorder();
  const log = aLog(recorder);
  void log.nodeFinished(aRecord({}));
  void log.nodeFinished(aRecord({}));
  expect((await log.rest()).map(({ seq }) => seq)).toEqual([0, 1]);
  await delay(20);
  expect(rows).toEqual([]);
});

test('a node run is on its way after a moment, though the run goes on', async () => {
  const { rows, recorder } = heldRecorder();
  void aLog(recorder).nodeFinished(aRecord({}));
  expect(rows).toEqual([]);
  await eventually(() => rows.length > 0);
  expect(rows.map(({ seq }) => seq)).toEqual([0]);
});

test('what is not small is not held back', () => {
  const { rows, recorder } = heldRecorder();
  const log = aLog(recorder, { limits: { nodeRunMaxBytes: 1e6, executionMaxBytes: 1e6 } });
  void log.nodeFinished(aRecord({}));
  void log.nodeFinished(aRecord(ofBytes(100_000)));
  expect(rows.map(({ seq }) => seq)).toEqual([0, 1]);
});

test('a guard that does not hold ends the run: the execution is lost', async () => {
  const { answerAll, recorder } = heldRecorder();
  const log = aLog(recorder);
  void log.nodeFinished(aRecord({}));
  const flushed = log.flush();
  answerAll(false);
  await expect(flushed).rejects.toMatchObject({ code: 'EXECUTION_LOST' });
  expect(() => log.nodeFinished(aRecord({}))).toThrow(expect.objectContaining({ code: 'EXECUTION_LOST' }));
});
