import { ConflictError, type JsonObject, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { lockWorkflow } from '../lock-workflow.ts';
import type { Tables } from '../tables/tables.ts';
import { isForWorker } from './is-for-worker.ts';
import { inMs, isBusyElsewhere, isWantedElsewhere, leaseRegistrations, type PlannedChanges } from './lease-registrations.ts';
import {
  type PlannedRegistration,
  type Registration,
  type RegistrationRow,
  type RegistrationSubject,
  type ShownRegistration,
  toRegistration,
} from './registration.ts';
import { hasPendingRegistration, hasPendingRemoval, recheckLater } from './registrations-of-account.ts';

/** Maximum size of a registration's data, in bytes of JSON. */
const maxDataBytes = 64 * 1024;
/** How long the removal of a registration is retried. */
const endFor = '24 hours';

/** As in `foreignTypesOf`; null: a built-in type. */
const foreignType = sql`CASE WHEN subject #>> '{node,type}' !~ '^(base|n8n-nodes-base|ai|@n8n/n8n-nodes-langchain)[.]'
  THEN subject #>> '{node,type}' || coalesce('@' || (subject #>> '{node,typeVersion}'), '') END`;

/**
 * Registrations of nodes at remote services. A row states the desired state; activations and
 * workers apply it, and lease the row meanwhile (`withRegistrationLease`). If the process dies, the
 * row is due again when the lease expires, so that an interrupted change is always completed or
 * undone.
 */
export class RegistrationRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Starts to apply the plan of an activation, and leases its registrations for `leaseMs`. Throws
   * the errors of `leaseRegistrations`.
   */
  async begin(
    workflowId: WorkflowId,
    planned: readonly PlannedRegistration[],
    lease: { heldBy: string; leaseMs: number },
  ): Promise<PlannedChanges> {
    return this.#db.transaction().execute(async (tx) => {
      await lockWorkflow(tx, workflowId);
      return leaseRegistrations(tx, workflowId, planned, lease);
    });
  }

  /**
   * Claims some due registrations for `leaseMs`, the longest overdue first. A removal waits while
   * another process registers the same resource. At one account, removals and registrations are not
   * claimed at the same time, because a removal might end the new registration.
   *
   * @param nodeTypes the worker's types of installed packages, as `foreignTypeNames` returns them.
   */
  async take(
    limit: number,
    { heldBy, leaseMs, nodeTypes }: { heldBy: string; leaseMs: number; nodeTypes: readonly string[] },
  ): Promise<Registration[]> {
    const { rows } = await sql<RegistrationRow>`
      UPDATE registrations r SET held_by = ${heldBy}, held_until = ${inMs(leaseMs)}
      WHERE id IN (SELECT id FROM registrations r WHERE due_at <= now() AND (held_until IS NULL OR held_until <= now())
          AND CASE WHEN wanted THEN NOT ${hasPendingRemoval} ELSE NOT (${isBusyElsewhere(sql`r.subject`)} OR ${hasPendingRegistration}) END
          AND ${isForWorker(foreignType, nodeTypes)}
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING r.*, (SELECT w.project_id FROM workflows w WHERE w.id = r.workflow_id) AS current_project_id,
        ${isWantedElsewhere(sql`r.subject`)} AS is_live, ${isWantedElsewhere(sql`r.begun`)} AS is_replacement_live`.execute(
      this.#db,
    );
    return rows.map(toRegistration);
  }

  /**
   * Extends the lease to `leaseMs` from now. False: another process has leased one of them, or it
   * has been deleted.
   */
  async extend(ids: readonly string[], heldBy: string, leaseMs: number): Promise<boolean> {
    const { numAffectedRows } = await sql`UPDATE registrations SET held_until = ${inMs(leaseMs)}
      WHERE id = ANY (${ids}::bigint[]) AND held_by = ${heldBy}`.execute(this.#db);
    return Number(numAffectedRows) === ids.length;
  }

  /**
   * Merges the changes that a request made to the data into the stored data, member by member.
   * Writes nothing if the registration has been deleted, or is not leased to `heldBy`, if given.
   */
  async mergeData(id: string, before: JsonObject, after: JsonObject, heldBy?: string): Promise<void> {
    const changed = Object.keys({ ...before, ...after }).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    );
    if (changed.length === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      const rows = tx.selectFrom('registrations').select(['data', 'held_by']).where('id', '=', id);
      const row = await rows.forUpdate().executeTakeFirst();
      if (!row || (heldBy !== undefined && row.held_by !== heldBy)) return;
      const unchanged = Object.entries(row.data).filter(([key]) => !changed.includes(key));
      const added = changed.flatMap((key) => (after[key] === undefined ? [] : [[key, after[key]] as const]));
      const json = JSON.stringify(Object.fromEntries([...unchanged, ...added]));
      if (Buffer.byteLength(json) > maxDataBytes) throw new RangeError(`a node stores more than ${maxDataBytes} bytes`);
      await tx.updateTable('registrations').set({ data: json }).where('id', '=', id).execute();
    });
  }

  /**
   * Records the subject that is about to be registered in place of the row's own, so that it is
   * found if the process dies. Null clears it. Throws `ConflictError` if the lease has been lost.
   */
  async recordReplacement(id: string, heldBy: string, replacement: RegistrationSubject | null): Promise<void> {
    await this.#write(id, heldBy, { begun: replacement && JSON.stringify(replacement) });
  }

  /**
   * Stores `subject` as registered at the service, with `data`. Changes that a request made
   * meanwhile (`mergeData`) are kept. Throws `ConflictError` if the lease has been lost.
   *
   * @param before the data that `data` is based on.
   * @param replacement as in `recordReplacement`.
   */
  async replaceSubject(
    { id, heldBy }: { id: string; heldBy: string },
    subject: RegistrationSubject,
    before: JsonObject,
    data: JsonObject,
    replacement: RegistrationSubject | null = null,
  ): Promise<void> {
    await this.#write(id, heldBy, { subject: JSON.stringify(subject), begun: replacement && JSON.stringify(replacement) });
    await this.mergeData(id, before, data, heldBy);
  }

  async #write(id: string, heldBy: string, changes: { subject?: string; begun: string | null }): Promise<void> {
    const written = await this.#db
      .updateTable('registrations')
      .set(changes)
      .where('id', '=', id)
      .where('held_by', '=', heldBy)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) throw new ConflictError('another process has taken over the registration');
  }

  /** Whether the lease is still valid. */
  async isLeased(id: string, heldBy: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('registrations')
      .select('id')
      .where('id', '=', id)
      .where('held_by', '=', heldBy)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Releases registrations that an activation failed to make. `doubtful`: the service may not have
   * the previous one, so a worker checks it.
   */
  async release(id: string, heldBy: string, doubtful: boolean): Promise<void> {
    await sql`UPDATE registrations SET held_by = NULL, held_until = NULL, due_at = CASE WHEN ${doubtful} OR NOT wanted THEN now() END
      WHERE id = ${id} AND held_by = ${heldBy}`.execute(this.#db);
  }

  /** Deletes a registration that an activation planned, but did not try to make. */
  async discard(id: string, heldBy: string): Promise<void> {
    await this.#db.deleteFrom('registrations').where('id', '=', id).where('held_by', '=', heldBy).execute();
  }

  /**
   * Marks the state that was wanted when the row was claimed as applied. If another state is wanted
   * by now, the row remains due. A later removal at the account makes a registration due again, for
   * a check.
   *
   * @param ended whether the service was asked to remove it: registrations made at the same account
   * since it became unwanted are checked again.
   */
  async settle({ id, wanted }: Pick<Registration, 'id' | 'wanted'>, heldBy: string, ended = false): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const mine = await tx
        .selectFrom('registrations')
        .select('wanted')
        .where('id', '=', id)
        .where('held_by', '=', heldBy)
        .forUpdate()
        .executeTakeFirst();
      if (!mine) return;
      if (!wanted && !mine.wanted) {
        if (ended) await recheckLater(tx, id);
        await tx.deleteFrom('registrations').where('id', '=', id).execute();
        return;
      }
      const isSo = mine.wanted === wanted;
      await sql`UPDATE registrations SET held_by = NULL, held_until = NULL, failures = 0, last_error = NULL,
        due_at = CASE WHEN ${isSo} THEN NULL ELSE now() END, wanted_at = CASE WHEN wanted THEN now() ELSE wanted_at END WHERE id = ${id}`.execute(
        tx,
      );
    });
  }

  /**
   * Records a worker's failure. Resolves to `abandoned` if the removal has been tried for a day:
   * the row is deleted.
   */
  async fail({ id }: Pick<Registration, 'id'>, heldBy: string, error: string): Promise<'retried' | 'abandoned'> {
    const { rows } = await sql`DELETE FROM registrations WHERE id = ${id} AND held_by = ${heldBy} AND NOT wanted
      AND unwanted_at < now() - ${endFor}::interval RETURNING id`.execute(this.#db);
    if (rows.length > 0) return 'abandoned';
    await sql`UPDATE registrations SET held_by = NULL, held_until = NULL, failures = failures + 1, last_error = ${error},
      due_at = now() + least(5 * 2 ^ least(failures, 12), 600) * interval '1 second'
      WHERE id = ${id} AND held_by = ${heldBy}`.execute(this.#db);
    return 'retried';
  }

  /** Registrations of one workflow; the caller checks access to it first. */
  async list(workflowId: WorkflowId): Promise<ShownRegistration[]> {
    const rows = await this.#db
      .selectFrom('registrations')
      .selectAll()
      .where('workflow_id', '=', workflowId)
      .orderBy('node_name')
      .orderBy('name')
      .orderBy('wanted', 'desc')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      nodeName: row.node_name,
      name: row.name,
      state: row.wanted ? (row.due_at ? 'pending' : 'registered') : 'ending',
      failures: row.failures,
      lastError: row.last_error,
      retryAt: row.due_at,
    }));
  }

  /**
   * Registrations in flight: services may send a request to an address before they accept it. There
   * are few at any time. For a replacement, `subject` is the new subject.
   */
  async listInProgress(): Promise<Registration[]> {
    const { rows } = await sql<RegistrationRow>`
      SELECT *, project_id AS current_project_id, false AS is_live, false AS is_replacement_live FROM registrations
      WHERE held_until > now() AND (NOT wanted OR begun IS NOT NULL) ORDER BY held_until LIMIT 1000`.execute(this.#db);
    return rows.map(toRegistration).map((row) => ({ ...row, subject: row.replacement ?? row.subject }));
  }

  /**
   * A node's data for one of its webhooks, or for another of its webhooks if the first has no
   * registration; used to handle requests. The registration may be in flight.
   *
   * @param inProgressId the registration in flight, in case several have the same name.
   */
  async find(
    workflowId: WorkflowId,
    nodeName: string,
    name: string,
    inProgressId = '0',
  ): Promise<Pick<Registration, 'id' | 'data'> | undefined> {
    return this.#db
      .selectFrom('registrations')
      .select(['id', 'data'])
      .where('workflow_id', '=', workflowId)
      .where('node_name', '=', nodeName)
      .where((eb) => eb.or([eb('name', '=', name), eb('name', 'like', 'webhook:%')]))
      .orderBy(sql`name <> ${name}`)
      .orderBy(sql`id <> ${inProgressId}`)
      .orderBy('wanted', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** The node's data for a registration. */
  async dataOf(id: string): Promise<JsonObject> {
    const row = await this.#db.selectFrom('registrations').select('data').where('id', '=', id).executeTakeFirst();
    return row?.data ?? {};
  }
}
