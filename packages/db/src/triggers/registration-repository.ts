import { ConflictError, type JsonObject, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { lockWorkflow } from '../lock-workflow.ts';
import type { Tables } from '../tables/tables.ts';
import { type BegunRegistrations, holdRegistrations, inMs, isBusyElsewhere, isWantedElsewhere } from './hold-registrations.ts';
import { isForWorker } from './is-for-worker.ts';
import {
  type PlannedRegistration,
  type Registration,
  type RegistrationRow,
  type RegistrationSubject,
  type ShownRegistration,
  toRegistration,
} from './registration.ts';

/** How much a registration may keep, in bytes of JSON. */
const maxDataBytes = 64 * 1024;
/** For how long the end of a registration is tried. */
const endFor = '24 hours';

/**
 * What nodes have at remote services. A row says what is wanted; activations and workers bring it about, and hold the row while they are at it (`whileHeld`).
 * Should whoever holds it die, the row is due again when the hold is over: what was begun is finished or undone, never forgotten.
 */
export class RegistrationRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Begins to bring about what an activation plans, and holds it for `holdMs`. Throws as `holdRegistrations`. */
  async begin(
    workflowId: WorkflowId,
    planned: readonly PlannedRegistration[],
    hold: { heldBy: string; holdMs: number },
  ): Promise<BegunRegistrations> {
    return this.#db.transaction().execute(async (tx) => {
      await lockWorkflow(tx, workflowId);
      return holdRegistrations(tx, workflowId, planned, hold);
    });
  }

  /**
   * Takes some that are due, for `holdMs`; the longest overdue first. What is to be ended waits while somebody makes the same.
   *
   * @param nodeTypes those of installed packages that the worker has, as `foreignTypeNames` gives them.
   */
  async take(
    limit: number,
    { heldBy, holdMs, nodeTypes }: { heldBy: string; holdMs: number; nodeTypes: readonly string[] },
  ): Promise<Registration[]> {
    const { rows } = await sql<RegistrationRow>`
      UPDATE registrations r SET held_by = ${heldBy}, held_until = ${inMs(holdMs)}
      WHERE id IN (SELECT id FROM registrations r WHERE due_at <= now() AND (held_until IS NULL OR held_until <= now())
          AND (wanted OR NOT ${isBusyElsewhere(sql`r.subject`)}) AND ${isForWorker(foreignType, nodeTypes)}
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING r.*, (SELECT w.project_id FROM workflows w WHERE w.id = r.workflow_id) AS current_project_id,
        ${isWantedElsewhere(sql`r.subject`)} AS is_live, ${isWantedElsewhere(sql`r.begun`)} AS is_begun_live`.execute(this.#db);
    return rows.map(toRegistration);
  }

  /** Holds them for `holdMs` from now on. False: somebody else has one of them by now, or it is gone. */
  async extend(ids: readonly string[], heldBy: string, holdMs: number): Promise<boolean> {
    const { numAffectedRows } = await sql`UPDATE registrations SET held_until = ${inMs(holdMs)}
      WHERE id = ANY (${ids}::bigint[]) AND held_by = ${heldBy}`.execute(this.#db);
    return Number(numAffectedRows) === ids.length;
  }

  /**
   * Puts what a call has changed of the data into what is stored by now, member by member. Nothing is written for one that is gone, or is no longer held by
   * `heldBy`, where that is given.
   */
  async keepData(id: string, before: JsonObject, after: JsonObject, heldBy?: string): Promise<void> {
    const changed = Object.keys({ ...before, ...after }).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    );
    if (changed.length === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      const rows = tx.selectFrom('registrations').select(['data', 'held_by']).where('id', '=', id);
      const row = await rows.forUpdate().executeTakeFirst();
      if (!row || (heldBy !== undefined && row.held_by !== heldBy)) return;
      const kept = Object.entries(row.data).filter(([key]) => !changed.includes(key));
      const added = changed.flatMap((key) => (after[key] === undefined ? [] : [[key, after[key]] as const]));
      const json = JSON.stringify(Object.fromEntries([...kept, ...added]));
      if (Buffer.byteLength(json) > maxDataBytes) throw new RangeError(`a node keeps more than ${maxDataBytes} bytes`);
      await tx.updateTable('registrations').set({ data: json }).where('id', '=', id).execute();
    });
  }

  /**
   * Notes what is about to be made in place of what the row says: a process that dies over it leaves it to be looked for. Null: it is not there. Throws
   * `ConflictError` where the hold has been lost.
   */
  async noteBegun(id: string, heldBy: string, begun: RegistrationSubject | null): Promise<void> {
    await this.#write(id, heldBy, { begun: begun && JSON.stringify(begun) });
  }

  /**
   * What is at the service is that subject from now on, and `data` is kept for it. What a call has added meanwhile (`keepData`) stays. Throws `ConflictError`
   * where the hold has been lost.
   *
   * @param before the data that `data` was made from.
   * @param begun as `noteBegun` has it.
   */
  async replaceSubject(
    { id, heldBy }: { id: string; heldBy: string },
    subject: RegistrationSubject,
    before: JsonObject,
    data: JsonObject,
    begun: RegistrationSubject | null = null,
  ): Promise<void> {
    await this.#write(id, heldBy, { subject: JSON.stringify(subject), begun: begun && JSON.stringify(begun) });
    await this.keepData(id, before, data, heldBy);
  }

  async #write(id: string, heldBy: string, changes: { subject?: string; begun: string | null }): Promise<void> {
    const written = await this.#db
      .updateTable('registrations')
      .set(changes)
      .where('id', '=', id)
      .where('held_by', '=', heldBy)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) throw new ConflictError('somebody else has taken over the registration');
  }

  /** Whether the hold is still good. */
  async isHeld(id: string, heldBy: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('registrations')
      .select('id')
      .where('id', '=', id)
      .where('held_by', '=', heldBy)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Lets go of what an activation has not brought about. `touched`: what was there may not be there any more, and has to be looked after. */
  async giveUp(id: string, heldBy: string, touched: boolean): Promise<void> {
    await sql`UPDATE registrations SET held_by = NULL, held_until = NULL, due_at = CASE WHEN ${touched} OR NOT wanted THEN now() END
      WHERE id = ${id} AND held_by = ${heldBy}`.execute(this.#db);
  }

  /**
   * What was wanted when the row was taken is so. Where something else is wanted by now, the row stays due.
   *
   * @param ended whether the service has been asked to end it: what has been made at the same account since it was not wanted any more is looked at again.
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
        if (ended) await lookAgain(tx, id);
        await tx.deleteFrom('registrations').where('id', '=', id).execute();
        return;
      }
      const isSo = mine.wanted === wanted;
      await sql`UPDATE registrations SET held_by = NULL, held_until = NULL, failures = 0, last_error = NULL,
        due_at = CASE WHEN ${isSo} THEN NULL ELSE now() END WHERE id = ${id}`.execute(tx);
    });
  }

  /** A worker could not. Resolves to `givenUp` where the end of it has been tried for a day: it is forgotten. */
  async fail({ id }: Pick<Registration, 'id'>, heldBy: string, error: string): Promise<'retried' | 'givenUp'> {
    const { rows } = await sql`DELETE FROM registrations WHERE id = ${id} AND held_by = ${heldBy} AND NOT wanted
      AND unwanted_at < now() - ${endFor}::interval RETURNING id`.execute(this.#db);
    if (rows.length > 0) return 'givenUp';
    await sql`UPDATE registrations SET held_by = NULL, held_until = NULL, failures = failures + 1, last_error = ${error},
      due_at = now() + least(5 * 2 ^ least(failures, 12), 600) * interval '1 second'
      WHERE id = ${id} AND held_by = ${heldBy}`.execute(this.#db);
    return 'retried';
  }

  /** Of one workflow; access to it is the caller's to check first. */
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
   * What somebody is at just now and that is not there yet: services may call an address before they agree to call it. Few at any time. Of one that is to
   * take the place of another, `subject` is the new one.
   */
  async listBegun(): Promise<Registration[]> {
    const { rows } = await sql<RegistrationRow>`
      SELECT *, project_id AS current_project_id, false AS is_live, false AS is_begun_live FROM registrations
      WHERE held_until > now() AND (NOT wanted OR begun IS NOT NULL) ORDER BY held_until LIMIT 1000`.execute(this.#db);
    return rows.map(toRegistration).map((row) => ({ ...row, subject: row.begun ?? row.subject }));
  }

  /**
   * What a node keeps for one of its webhooks, or for another one where that has no registration of its own: for the calls that they lead to. It may be one
   * that is just being made.
   *
   * @param begunId that one: where several are called the same, it is meant.
   */
  async find(
    workflowId: WorkflowId,
    nodeName: string,
    name: string,
    begunId = '0',
  ): Promise<Pick<Registration, 'id' | 'data'> | undefined> {
    return this.#db
      .selectFrom('registrations')
      .select(['id', 'data'])
      .where('workflow_id', '=', workflowId)
      .where('node_name', '=', nodeName)
      .where((eb) => eb.or([eb('name', '=', name), eb('name', 'like', 'webhook:%')]))
      .orderBy(sql`name <> ${name}`)
      .orderBy(sql`id <> ${begunId}`)
      .orderBy('wanted', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** What the node keeps for one. */
  async dataOf(id: string): Promise<JsonObject> {
    const row = await this.#db.selectFrom('registrations').select('data').where('id', '=', id).executeTakeFirst();
    return row?.data ?? {};
  }
}

/** As `foreignTypesOf` names it; null: a type of ours. */
const foreignType = sql`CASE WHEN subject #>> '{node,type}' !~ '^(base|n8n-nodes-base)[.]'
  THEN subject #>> '{node,type}' || coalesce('@' || (subject #>> '{node,typeVersion}'), '') END`;

/** The end of one that came late may have ended those that were made after it: workers ask the service for them. */
async function lookAgain(tx: Transaction<Tables>, id: string): Promise<void> {
  await sql`UPDATE registrations r SET due_at = now() FROM registrations o WHERE o.id = ${id} AND r.id <> o.id AND r.wanted
    AND r.due_at IS NULL AND r.wanted_at >= o.unwanted_at
    AND registration_account(r.name, r.subject) = registration_account(o.name, o.subject)`.execute(tx);
}
