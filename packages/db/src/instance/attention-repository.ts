import { type Kysely, sql } from 'kysely';
import { type Access, isAccessible } from '../access.ts';
import { belongsTo } from '../executions/row/owning-project.ts';
import type { Tables } from '../tables/tables.ts';

/** A trigger, or a registration at a remote service, that fails repeatedly. */
export interface FailingSource {
  source: 'trigger' | 'registration';
  workflowId: string;
  workflowName: string;
  projectId: string;
  projectName: string;
  nodeName: string;
  failures: number;
  lastError: string | null;
  retryAt: Date | null;
}

/** A project that has used up a share of its quota. */
export interface ProjectUse {
  projectId: string;
  projectName: string;
  used: number;
}

/** Maximum number of rows of each kind. */
const maxRowsPerKind = 100;

/** The read models of `GET /attention`. */
export class AttentionRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async listFailingSources(access: Access): Promise<FailingSource[]> {
    const columns = sql`w.id AS "workflowId", w.name AS "workflowName", p.id AS "projectId", p.name AS "projectName",
      f.node_name AS "nodeName", f.failures, f.last_error AS "lastError"`;
    const visible = sql`JOIN workflows w ON w.id = f.workflow_id JOIN projects p ON p.id = w.project_id
      WHERE f.failures > 0 AND ${isAccessible(access, 'w.project_id')}`;
    const { rows } = await sql<FailingSource>`
      (SELECT 'trigger' AS source, ${columns}, f.retry_at AS "retryAt" FROM triggers f ${visible}
        ORDER BY f.failures DESC, f.id LIMIT ${maxRowsPerKind})
      UNION ALL
      (SELECT 'registration', ${columns}, f.due_at FROM registrations f ${visible} ORDER BY f.failures DESC, f.id LIMIT ${maxRowsPerKind})`.execute(
      this.#db,
    );
    return rows;
  }

  /** Projects with at least `least` executions that are `new`. */
  async listQueues(access: Access, least: number): Promise<ProjectUse[]> {
    const { rows } = await sql<ProjectUse>`
      SELECT p.id AS "projectId", p.name AS "projectName", q.used FROM (
        SELECT e.project_id, count(*)::int AS used FROM executions e
        WHERE e.status = 'new' AND ${belongsTo(access.projectIds, 'e')} GROUP BY 1 HAVING count(*) >= ${least}
      ) AS q JOIN projects p ON p.id = q.project_id ORDER BY q.used DESC LIMIT ${maxRowsPerKind}`.execute(this.#db);
    return rows;
  }

  /** Projects whose executions store at least `least` bytes. */
  async listStorage(access: Access, least: number): Promise<ProjectUse[]> {
    const { rows } = await sql<ProjectUse>`
      SELECT p.id AS "projectId", p.name AS "projectName", u.used::double precision AS used FROM (
        SELECT project_id, sum(bytes) AS used FROM (
          SELECT project_id, bytes FROM project_usage UNION ALL SELECT project_id, bytes FROM project_usage_changes) AS changes
        GROUP BY 1 HAVING sum(bytes) >= ${least}
      ) AS u JOIN projects p ON p.id = u.project_id WHERE ${isAccessible(access, 'p.id')} ORDER BY used DESC LIMIT ${maxRowsPerKind}`.execute(
      this.#db,
    );
    return rows;
  }

  /**
   * The user's keys that expire within `days`, or expired within the last `days`, ordered by
   * expiry.
   */
  async listExpiringKeys(
    userId: string,
    days: number,
  ): Promise<{ id: string; label: string; expiresAt: Date; isExpired: boolean }[]> {
    return this.#db
      .selectFrom('api_keys')
      .select(['id', 'label', sql<Date>`expires_at`.as('expiresAt'), sql<boolean>`expires_at <= now()`.as('isExpired')])
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('is_session', '=', false)
      .where(sql<boolean>`expires_at BETWEEN now() - make_interval(days => ${days}) AND now() + make_interval(days => ${days})`)
      .orderBy('expires_at')
      .limit(maxRowsPerKind)
      .execute();
  }
}
