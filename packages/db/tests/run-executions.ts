import { type Database, ExecutionRecorder, ExecutionWaitRepository, WorkerRepository } from '@sluice/db';
import { type ExecutionId, type ExecutionMode, randomId, type Suspension } from '@sluice/domain';
import { sql } from 'kysely';
import { anExecution, type StoredWorkflow, startExecutions } from './a-workflow.ts';

export const suspended = { nodeName: 'Wait', runIndex: 2, startTime: 5, tryNumber: 1 };

/** How an execution ends. */
interface TestEnd {
  status?: 'success' | 'error';
  /** A number and a string in the output of its node. */
  n?: number;
  text?: string;
  message?: string;
}

interface SuspendOptions {
  waitMs?: number;
  attempt?: number;
  /** Number of sub-executions. */
  count?: number;
  keptJson?: string;
}

/** A worker that claims, suspends, and ends executions. */
export class TestWorker {
  readonly id = randomId();
  readonly recorder: ExecutionRecorder;
  readonly #db: Database;
  readonly #waits: ExecutionWaitRepository;

  private constructor(db: Database) {
    this.#db = db;
    this.#waits = new ExecutionWaitRepository(db);
    this.recorder = new ExecutionRecorder(db, () => this.id);
  }

  static async register(db: Database): Promise<TestWorker> {
    const worker = new TestWorker(db);
    await new WorkerRepository(db).register({ id: worker.id, hostname: 'here', pid: 1, concurrency: 1 }, 600_000);
    return worker;
  }

  /** Starts an execution and claims it. */
  async running(workflow: StoredWorkflow, mode: ExecutionMode = 'manual'): Promise<ExecutionId> {
    const [id] = (await startExecutions(this.#db, [anExecution(workflow, { mode })])) as [ExecutionId];
    await this.recorder.claim({ executionId: id, attempt: 1 });
    return id;
  }

  /** Suspends an execution of the worker; sub-executions are of this workflow. */
  suspend(
    executionId: ExecutionId,
    { workflowId: id, graphHash }: StoredWorkflow,
    suspension: Suspension,
    { waitMs, attempt = 1, count = 0, keptJson }: SuspendOptions = {},
  ) {
    const child = (n: number) => ({ workflow: { id, graphHash, returnsAllRuns: false }, inputJson: JSON.stringify({ n }) });
    const children = Array.from({ length: count }, (_, n) => child(n));
    const wait = {
      executionId,
      attempt,
      workerId: this.id,
      suspended,
      suspension,
      resumeToken: 'token',
      waitMs,
      children,
      keptJson,
    };
    return this.#waits.suspend(wait);
  }

  toCall(executionId: ExecutionId, workflow: StoredWorkflow, count: number, stopAtFailure = true) {
    return this.suspend(executionId, workflow, { kind: 'workflows', runs: [], stopAtFailure }, { count });
  }

  /** Runs one node and ends the execution. */
  async end(executionId: ExecutionId, { status = 'success', n = 0, text = '', message = 'no stock' }: TestEnd = {}) {
    await this.recorder.claim({ executionId, attempt: 1 });
    const data = { main: [[{ json: { n, ...(text && { text }) } }]] };
    const run = { startTime: 1, executionTime: 1, executionStatus: 'success', source: [], data };
    const row = {
      executionId,
      attempt: 1,
      seq: 0,
      nodeName: 'Set',
      runIndex: 0,
      failed: false,
      startTime: 1,
      executionTime: 1,
    };
    await this.recorder.append([{ ...row, json: JSON.stringify(run) }]);
    const error = status === 'error' ? { message, node: 'Set' } : null;
    await this.recorder.finish({ executionId, attempt: 1, status, error, retryOf: null });
  }

  async childrenOf(id: ExecutionId): Promise<ExecutionId[]> {
    const { rows } = await sql<{ id: ExecutionId }>`
      SELECT id FROM executions WHERE parent_execution_id = ${id} ORDER BY id`.execute(this.#db.kysely);
    return rows.map((row) => row.id);
  }
}
