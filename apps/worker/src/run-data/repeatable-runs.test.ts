import { expect, test } from '@jest/globals';
import type { NodeRun } from '@sluice/domain';
import { MemoryBudget } from '@sluice/domain';
import { SecretScrubber } from '@sluice/vault';
import type { ExecutionReport } from '../client-messages/progress-reporter.ts';
import { NodeRunRecorder } from './node-run-recorder.ts';

const open = new AbortController().signal;
const report = { isWatched: false, nodeStarted() {}, nodeFinished() {}, changed() {} } as unknown as ExecutionReport;

const aLog = () =>
  new NodeRunRecorder(
    { append: async () => true },
    {
      ref: { executionId: '1', attempt: 1 },
      claim: { isOwned: true, ensure: () => undefined },
      limits: { nodeRunMaxBytes: 1_000, executionMaxBytes: 2_000 },
      stored: { count: 0, bytes: 0 },
      signal: open,
      scrubber: new SecretScrubber(),
      report,
      pace: { deferMs: () => 5 },
      memory: new MemoryBudget({ limit: 1024 ** 2, inUse: () => 0 }).open(open),
    },
  );

const [acting, computing] = [
  { nodeName: 'Request', runIndex: 0, mayAct: true },
  { nodeName: 'Set', runIndex: 0, mayAct: false },
];
const aRecord = (nodeName: string, changes: Partial<NodeRun> = {}) => ({
  nodeName,
  runIndex: 0,
  run: { startTime: 1, executionTime: 1, executionStatus: 'success' as const, source: [], data: {}, ...changes },
});

test('a run can be repeated before its first node, and while a node runs that only computes', async () => {
  const log = aLog();
  expect(log.isRepeatable).toBe(true);
  await log.nodeStarted(computing);
  expect(log.isRepeatable).toBe(true);
  await log.nodeFinished(aRecord('Set'));
  expect(log.isRepeatable).toBe(true);
});

test('not from the start of a node that may act until its run is recorded', async () => {
  const log = aLog();
  await log.nodeStarted(acting);
  expect(log.isRepeatable).toBe(false);
  await log.nodeFinished(aRecord('Request'));
  expect(log.isRepeatable).toBe(true);
});

test('not while a node runs that has used a sub-node that may act', async () => {
  const log = aLog();
  await log.nodeStarted(computing);
  await log.nodeStarted({ ...acting, nodeName: 'Tool', isSubRun: true });
  await log.nodeFinished(aRecord('Tool'));
  expect(log.isRepeatable).toBe(false);
  await log.nodeFinished(aRecord('Set'));
  expect(log.isRepeatable).toBe(true);
});

test('not after a failed node, or after one whose output is too large to be stored', async () => {
  const failed = aLog();
  await failed.nodeStarted(computing);
  await failed.nodeFinished(aRecord('Set', { executionStatus: 'error' }));
  expect(failed.isRepeatable).toBe(false);
  const refused = aLog();
  await refused.nodeStarted(acting);
  const large = { main: [[{ json: { text: 'x'.repeat(2_000) } }]] };
  await expect(async () => refused.nodeFinished(aRecord('Request', { data: large }))).rejects.toMatchObject({
    code: 'RUN_DATA_TOO_LARGE',
  });
  expect(refused.isRepeatable).toBe(false);
});
