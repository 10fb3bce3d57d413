import { type ExecutionId, GroupCommit } from '@sluice/domain';
import type { Database } from '../database.ts';
import { type InsertedRow, insertExecutions, insertedId, type NewExecution } from './insert-executions.ts';
import type { QueueGauge } from './queue-gauge.ts';

/** Inserts executions; starts that are in flight together share one statement. */
export class ExecutionStarter {
  readonly #group: GroupCommit<NewExecution, ExecutionId | Error>;

  /** `queue`: says which projects may start nothing now; absent: all may. */
  constructor(db: Database, { queue }: { queue?: QueueGauge } = {}) {
    this.#group = new GroupCommit<NewExecution, ExecutionId | Error>(
      async (inputs) => {
        const rows = await db.query<InsertedRow>(insertExecutions(inputs, await queue?.full()));
        for (const { id, project_id } of rows) if (id !== null) queue?.note(project_id);
        const byOrd = new Map(rows.map((row) => [Number(row.ord), row]));
        return inputs.map((input, i) => insertedId(byOrd.get(i + 1), input));
      },
      { lanes: 2 },
    );
  }

  /** Resolves after the commit. Throws `NotFoundError`, `ForbiddenError`, `QUEUE_FULL`, `UnavailableError`. */
  async start(execution: NewExecution): Promise<ExecutionId> {
    const id = await this.#group.add(execution);
    if (id instanceof Error) throw id;
    return id;
  }
}
