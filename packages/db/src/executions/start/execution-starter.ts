import { type ExecutionId, GroupCommit } from '@sluice/domain';
import { AuditTrail } from '../../audit/audit-trail.ts';
import type { Database } from '../../connection/database.ts';
import type { QueueGauge } from '../queue/queue-gauge.ts';
import {
  type EncodedStart,
  encodeStart,
  type InsertedRow,
  insertExecutions,
  insertedIds,
  type NewExecution,
} from './insert-executions.ts';

/**
 * Maximum bytes of encoded inputs per statement. A full group of the largest inputs would exceed
 * the memory of the process and the message size of Postgres.
 */
const maxGroupBytes = 8 * 1024 * 1024;

/**
 * Inserts executions. Concurrent starts share one statement, which also writes the audit line of
 * each start that belongs to a user's action.
 */
export class ExecutionStarter {
  readonly #group: GroupCommit<EncodedStart, ExecutionId | Error>;

  /** `queueGauge`: reports projects with a full queue; absent: no limit. */
  constructor(db: Database, { queueGauge }: { queueGauge?: QueueGauge | undefined } = {}) {
    this.#group = new GroupCommit<EncodedStart, ExecutionId | Error>(
      async (inputs) => {
        const rows = await db.query<InsertedRow>(insertExecutions(inputs, await queueGauge?.full()));
        for (const { id, project_id } of rows) if (id !== null) queueGauge?.note(project_id);
        return insertedIds(
          rows,
          inputs.map(({ execution }) => execution),
        );
      },
      { name: 'starts', weigh: ({ data }) => data?.length ?? 0, maxWeight: maxGroupBytes },
    );
  }

  /**
   * Resolves after the commit. Throws `NotFoundError`, `ForbiddenError`, `QUEUE_FULL`,
   * `UnavailableError`.
   */
  async start(execution: NewExecution): Promise<ExecutionId> {
    const trail = AuditTrail.current();
    const audited = trail !== undefined && !trail.written;
    const id = await this.#group.add(await encodeStart({ execution, audit: audited ? trail.entry : undefined }));
    if (id instanceof Error) throw id;
    if (audited) trail.committed();
    return id;
  }
}
