import type { WorkflowId, WorkflowSettings } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { storedSettings } from '../executions/graphs/stored-settings.ts';
import type { Tables } from '../tables/tables.ts';

/** The data of a workflow that is needed to call it. */
export interface CallTarget {
  id: WorkflowId;
  name: string;
  /** Whether it is in the calling workflow's project. */
  sameProject: boolean;
  /** The settings as stored now. */
  settings: WorkflowSettings | null;
  newestHash: string;
  /** Graph of the active version; null: the workflow is inactive. */
  activeHash: string | null;
}

/**
 * Looks up workflows to be called by others. The caller checks with `mayCall` whether the call is
 * allowed.
 */
export class CallableWorkflowRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** `undefined`: the workflow does not exist. */
  async find(id: WorkflowId, callerId: WorkflowId): Promise<CallTarget | undefined> {
    const { rows } = await sql<CallTarget>`
      SELECT w.id, w.name, w.project_id = c.project_id AS "sameProject", ${storedSettings} AS settings,
        newest.graph_hash AS "newestHash", active.graph_hash AS "activeHash"
      FROM workflows w JOIN workflows c ON c.id = ${callerId}
      JOIN workflow_versions newest ON newest.id = w.version_id
      JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = newest.graph_hash
      LEFT JOIN workflow_versions active ON active.id = w.active_version_id
      WHERE w.id = ${id}`.execute(this.#db);
    return rows[0];
  }
}
