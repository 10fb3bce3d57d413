import type { WorkflowId, WorkflowSettings } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** What a call needs to know of the workflow that is called. */
export interface CallTarget {
  id: WorkflowId;
  name: string;
  /** Whether it is in the caller's project. */
  sameProject: boolean;
  /** As they are stored now. */
  settings: WorkflowSettings | null;
  newestHash: string;
  /** The graph of the version that is active; null: the workflow is not. */
  activeHash: string | null;
}

/** Looks up workflows for those that call them. Whether the call is allowed is the caller's to decide, by `mayCall`. */
export class CallableWorkflows {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** `undefined`: there is no such workflow. */
  async find(id: WorkflowId, callerId: WorkflowId): Promise<CallTarget | undefined> {
    const { rows } = await sql<CallTarget>`
      SELECT w.id, w.name, w.project_id = c.project_id AS "sameProject", g.content -> 'settings' AS settings,
        newest.graph_hash AS "newestHash", active.graph_hash AS "activeHash"
      FROM workflows w JOIN workflows c ON c.id = ${callerId}
      JOIN workflow_versions newest ON newest.id = w.version_id
      JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = newest.graph_hash
      LEFT JOIN workflow_versions active ON active.id = w.active_version_id
      WHERE w.id = ${id}`.execute(this.#db);
    return rows[0];
  }
}
