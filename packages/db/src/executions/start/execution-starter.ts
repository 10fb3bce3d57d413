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
  NotLockedError,
} from './insert-executions.ts';

/**
 * Maximum bytes of encoded inputs per statement. A full group of the largest inputs would exceed
 * the memory of the process and the message size of Postgres.
 */
const maxGroupBytes = 8 * 1024 * 1024;

/**
 * Inserts executions. Concurrent starts share one statement, which also writes the audit line of
 * each start that belongs to a user's action. Starts of a workflow that another transaction has
 * locked wait for it in statements of their own: a deletion with a long history holds its lock for
 * seconds, and must not delay other workflows.
 */
export class ExecutionStarter {
  readonly #group: GroupCommit<EncodedStart, ExecutionId | Error>;
  readonly #lockedGroup: GroupCommit<EncodedStart, ExecutionId | Error>;

  /** `queueGauge`: reports projects with a full queue; absent: no limit. */
  constructor(db: Database, { queueGauge }: { queueGauge?: QueueGauge | undefined } = {}) {
    const insert = (skipLocked: boolean) => async (starts: EncodedStart[]) => {
      const fullProjects = await queueGauge?.full();
      const rows = await db.query<InsertedRow>(insertExecutions(starts, { fullProjects, skipLocked }));
      for (const { id, project_id } of rows) if (id !== null) queueGauge?.note(project_id);
      return insertedIds(
        rows,
        starts.map(({ execution }) => execution),
      );
    };
    const limits = { weigh: ({ data }: EncodedStart) => data?.length ?? 0, maxWeight: maxGroupBytes };
    this.#group = new GroupCommit(insert(true), { name: 'starts', ...limits });
    this.#lockedGroup = new GroupCommit(insert(false), limits);
  }

  /**
   * Resolves after the commit. Throws `NotFoundError`, `ForbiddenError`, `QUEUE_FULL`,
   * `UnavailableError`.
   */
  async start(execution: NewExecution): Promise<ExecutionId> {
    const trail = AuditTrail.current();
    const audited = trail !== undefined && !trail.written;
    const start = await encodeStart({ execution, audit: audited ? trail.entry : undefined });
    let id = await this.#group.add(start);
    if (id instanceof NotLockedError) id = await this.#lockedGroup.add(start);
    if (id instanceof Error) throw id;
    if (audited) trail.committed();
    return id;
  }
}
