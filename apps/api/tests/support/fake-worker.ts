import { type Database, ExecutionRecorder, WorkerRepository } from '@sluice/db';
import { type ErrorRecord, type ExecutionId, type NodeRun, randomId } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, SealedPublisher, SignalChannel } from '@sluice/queue';
import { testMasterKey, testRedisUrl } from '@sluice/test-support';
import { KeyRing, MessageSeal } from '@sluice/vault';

/** A worker without an engine: the test decides what it does with an execution. */
export interface FakeWorker {
  claim(id: ExecutionId): Promise<void>;
  nodeRun(id: ExecutionId, nodeName: string, seq: number, run?: Partial<NodeRun>): Promise<void>;
  /** Writes the end and notifies waiting requests. */
  finish(id: ExecutionId, error?: ErrorRecord): Promise<void>;
  close(): Promise<void>;
}

export async function startFakeWorker(db: Database, redisPrefix: string): Promise<FakeWorker> {
  const workerId = randomId();
  const redis = createRedis(testRedisUrl(), 'producer', createLogger({ name: 'test', level: 'silent' }));
  const ended = new SignalChannel(
    new SealedPublisher(redis, new MessageSeal(KeyRing.parse([testMasterKey]))),
    redisPrefix,
    'ended',
  );
  const retryOf = new Map<ExecutionId, ExecutionId | null>();
  const recorder = new ExecutionRecorder(db, () => workerId);
  await new WorkerRepository(db).register({ id: workerId, hostname: 'test', pid: 1, concurrency: 1 }, 600_000);
  await new Promise((resolve) => (redis.status === 'ready' ? resolve(undefined) : redis.once('ready', resolve)));
  return {
    async claim(executionId) {
      const claimed = await recorder.claim({ executionId, attempt: 1 });
      if (!claimed) throw new Error('nothing to claim');
      retryOf.set(executionId, claimed.retryOf);
    },
    async nodeRun(executionId, nodeName, seq, changes = {}) {
      const run: NodeRun = { startTime: 1, executionTime: 1, executionStatus: 'success', source: [], ...changes };
      const { startTime, executionTime, executionStatus } = run;
      const row = { nodeName, runIndex: 0, seq, failed: executionStatus === 'error', startTime, executionTime };
      await recorder.append([{ executionId, attempt: 1, ...row, json: JSON.stringify(run) }]);
    },
    async finish(executionId, error) {
      const status = error ? 'error' : 'success';
      const original = retryOf.get(executionId) ?? null;
      await recorder.finish({ executionId, attempt: 1, status, error: error ?? null, retryOf: original });
      await ended.publish([executionId]);
    },
    close: () => closeRedis(redis),
  };
}
