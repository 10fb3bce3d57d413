import { type Database, ExecutionRecorder, WorkerRepository } from '@sluice/db';
import { randomId } from '@sluice/domain';

/** A registered worker, and the recorder with which it claims and ends executions. */
export async function aRegisteredWorker(db: Database, leaseMs = 60_000): Promise<{ id: string; recorder: ExecutionRecorder }> {
  const id = randomId();
  await new WorkerRepository(db).register({ id, hostname: 'here', pid: 1, concurrency: 1 }, leaseMs);
  return { id, recorder: new ExecutionRecorder(db, () => id) };
}

/** A successful node run without items. */
export const aNodeRun = (executionId: string, seq: number) => ({
  executionId,
  attempt: 1,
  seq,
  nodeName: `Node ${seq}`,
  runIndex: 0,
  failed: false,
  startTime: seq,
  executionTime: 1,
  json: JSON.stringify({ startTime: seq, executionTime: 1, executionStatus: 'success', source: [], data: { main: [[]] } }),
});
