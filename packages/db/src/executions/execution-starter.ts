import { type ExecutionId, GroupCommit } from '@sluice/domain';
import type { Database } from '../database.ts';
import { type InsertedRow, insertExecutions, insertedId, type NewExecution } from './insert-executions.ts';

/** Inserts executions; starts that are in flight together share one statement. */
export class ExecutionStarter {
  readonly #group: GroupCommit<NewExecution, ExecutionId | Error>;

  constructor(db: Database) {
    this.#group = new GroupCommit<NewExecution, ExecutionId | Error>(
      async (inputs) => {
        const rows = await db.query<InsertedRow>(insertExecutions(inputs));
        const byOrd = new Map(rows.map((row) => [Number(row.ord), row]));
        return inputs.map((input, i) => insertedId(byOrd.get(i + 1), input));
      },
      { lanes: 2 },
    );
  }

  /** Resolves after the commit. Throws `NotFoundError`, `ForbiddenError`, `UnavailableError`. */
  async start(execution: NewExecution): Promise<ExecutionId> {
    const id = await this.#group.add(execution);
    if (id instanceof Error) throw id;
    return id;
  }
}
