import { GroupCommit } from '@sluice/domain';
import type { Database } from '../database.ts';
import { type InsertedExecution, type InsertedRow, insertExecutions, type NewExecution } from './insert-executions.ts';

/** Inserts executions; starts that are in flight together share one statement. */
export class ExecutionStarter {
  readonly #group: GroupCommit<NewExecution, InsertedExecution>;

  constructor(db: Database) {
    this.#group = new GroupCommit<NewExecution, InsertedExecution>(
      async (inputs) => {
        const rows = await db.query<InsertedRow & Record<string, unknown>>(insertExecutions(inputs));
        const results: InsertedExecution[] = inputs.map(() => ({ id: null, createdAt: null }));
        for (const row of rows) results[Number(row.ord) - 1] = { id: row.id, createdAt: row.created_at };
        return results;
      },
      { lanes: 2 },
    );
  }

  /** Resolves after the commit. Throws `UnavailableError`; a graph that is not stored is a defect. */
  start(execution: NewExecution): Promise<InsertedExecution> {
    return this.#group.add(execution);
  }
}
