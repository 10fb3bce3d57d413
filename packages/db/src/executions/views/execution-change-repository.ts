import type { ExecutionId, ExecutionStatus } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';

export interface ExecutionState {
  id: ExecutionId;
  status: ExecutionStatus;
  workflowId: string;
  /** The project that determines access to it. */
  projectId: string;
}

const text = `SELECT e.id, e.status, e.workflow_id AS "workflowId", w.project_id AS "projectId"
FROM ((SELECT id FROM executions ORDER BY id DESC LIMIT $1) UNION (SELECT unnest($2::bigint[]))) AS chosen
JOIN executions e ON e.id = chosen.id JOIN workflows w ON w.id = e.workflow_id`;

/** Reads the states that live lists compare. Covers all projects: the caller filters by access. */
export class ExecutionChangeRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest executions and the named ones that exist, in no particular order. */
  read(newest: number, ids: readonly ExecutionId[]): Promise<ExecutionState[]> {
    return this.#db.query<ExecutionState>({
      name: 'read-execution-changes',
      text,
      values: [newest, ids],
    });
  }
}
