import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { AuditEntry, AuditRecord } from './audit-entry.ts';

export interface AuditFilter {
  since?: Date;
  /** User id, user email, or key id. */
  actor?: string;
  /**
   * Type, id, or name of an object; project id; or id of an execution that a line lists as deleted.
   */
  object?: string;
}

/** Adds lines to the log. No other code writes to it. */
export async function insertAuditEntries(db: Kysely<Tables>, entries: readonly AuditEntry[]): Promise<void> {
  await db
    .insertInto('audit_log')
    .values(
      entries.map((entry) => ({
        actor: entry.actor,
        user_id: entry.userId,
        key_id: entry.keyId,
        ip: entry.ip,
        request_id: entry.requestId,
        action: entry.action,
        object_type: entry.objectType,
        object_id: entry.objectId,
        object_name: entry.objectName,
        project_id: entry.projectId,
        outcome: entry.outcome,
        details: entry.details === null ? null : JSON.stringify(entry.details),
      })),
    )
    .execute();
}

/** Reads the audit log. For operators only, so no caller's `Access` applies. */
export class AuditRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The newest `limit` matching lines, newest first, starting below the line `before`. */
  async list({ since, actor, object }: AuditFilter, page: { limit: number; before?: string }): Promise<AuditRecord[]> {
    let query = this.#db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(page.limit);
    if (since) query = query.where('at', '>=', since);
    if (page.before !== undefined) query = query.where('id', '<', page.before);
    if (actor !== undefined) {
      query = query.where(sql<boolean>`${actor} IN (actor, user_id, key_id)`);
    }
    if (object !== undefined) {
      query = query.where(sql<boolean>`(${object} IN (object_type, object_id, object_name, project_id)
        OR CASE action WHEN 'execution.delete' THEN details::jsonb -> 'ids' @> to_jsonb(${object}::text) ELSE false END)`);
    }
    const rows = await query.execute();
    return rows.map(({ user_id, key_id, request_id, object_type, object_id, object_name, project_id, ...row }) => ({
      ...row,
      userId: user_id,
      keyId: key_id,
      requestId: request_id,
      objectType: object_type,
      objectId: object_id,
      objectName: object_name,
      projectId: project_id,
    }));
  }
}
