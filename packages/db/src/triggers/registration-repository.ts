import { ConflictError, type JsonObject, type WorkflowId, type WorkflowNode } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { lockWorkflow } from '../repositories/workflow.ts';
import type { Tables } from '../tables/tables.ts';
import { isForWorker } from './is-for-worker.ts';

/** All it takes to end a registration also once the workflow is gone. */
export interface RegistrationSubject {
  workflow: { id: WorkflowId; name: string };
  /** Its parameters are those that were resolved at the activation. */
  node: WorkflowNode;
  /** Name of a webhook of the node → its address. */
  urls: Record<string, string>;
  /** The addresses, as routes of calls. */
  routes: { method: string; path: string; webhookName: string }[];
  timezone: string;
}

/** Something that a node is to have at a remote service. */
export interface PlannedRegistration {
  nodeName: string;
  /** `webhook:<name>`, or `hooks`. */
  name: string;
  subject: RegistrationSubject;
}

export interface Registration extends PlannedRegistration {
  id: string;
  /** Where the workflow is now, or was in the end. */
  projectId: string;
  /** What the node keeps for it. */
  data: JsonObject;
  wanted: boolean;
  /** What an activation that has not come to its end was about to make in place of `subject`: it may be there as well. */
  begun: RegistrationSubject | null;
}

/** One that an activation has begun to bring about. */
export interface HeldRegistration extends Registration {
  /** Nothing was there before. */
  fresh: boolean;
}

/** A registration as users see it. */
export interface ShownRegistration {
  nodeName: string;
  name: string;
  /** `pending`: it is to be made again; `ending`: it is to be ended. */
  state: 'registered' | 'pending' | 'ending';
  failures: number;
  lastError: string | null;
  retryAt: Date | null;
}

/** How much a registration may keep, in bytes of JSON. */
const maxDataBytes = 64 * 1024;
/** For how long the end of a registration is tried. */
const endFor = '24 hours';

/**
 * What nodes have at remote services. A row says what is wanted; activations and workers bring it about, and hold the row while they are at it. Should
 * whoever holds it die, the row is due again when the hold is over: what was begun is finished or undone, never forgotten.
 */
export class RegistrationRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Begins to bring about what an activation plans, and holds it for `holdMs`. Throws `ConflictError` where another activation, or a worker, is at one of
   * them.
   */
  async begin(
    workflowId: WorkflowId,
    planned: readonly PlannedRegistration[],
    { heldBy, holdMs }: { heldBy: string; holdMs: number },
  ): Promise<HeldRegistration[]> {
    return this.#db.transaction().execute(async (tx) => {
      await lockWorkflow(tx, workflowId);
      const held: HeldRegistration[] = [];
      for (const registration of planned) held.push(await hold(tx, workflowId, registration, { heldBy, holdMs }));
      return held;
    });
  }

  /**
   * Takes some that are due, for `holdMs`; the longest overdue first.
   *
   * @param nodeTypes those of installed packages that the worker has, as `foreignTypeNames` gives them.
   */
  async take(
    limit: number,
    { heldBy, holdMs, nodeTypes }: { heldBy: string; holdMs: number; nodeTypes: readonly string[] },
  ): Promise<Registration[]> {
    const { rows } = await sql<RegistrationRow>`
      UPDATE registrations r SET held_by = ${heldBy}, held_until = ${inMs(holdMs)}
      WHERE id IN (SELECT id FROM registrations WHERE due_at <= now() AND (held_until IS NULL OR held_until <= now())
          AND ${isForWorker(foreignType, nodeTypes)}
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING r.*, (SELECT w.project_id FROM workflows w WHERE w.id = r.workflow_id) AS current_project_id`.execute(this.#db);
    return rows.map(toRegistration);
  }

  /** Puts what a call has changed of the data into what is stored by now, member by member. Nothing is written for one that is gone. */
  async keepData(id: string, before: JsonObject, after: JsonObject): Promise<void> {
    const changed = Object.keys({ ...before, ...after }).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    );
    if (changed.length === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('registrations').select('data').where('id', '=', id).forUpdate().executeTakeFirst();
      if (!row) return;
      const kept = Object.entries(row.data).filter(([key]) => !changed.includes(key));
      const added = changed.flatMap((key) => (after[key] === undefined ? [] : [[key, after[key]] as const]));
      const json = JSON.stringify(Object.fromEntries([...kept, ...added]));
      if (Buffer.byteLength(json) > maxDataBytes) throw new RangeError(`a node keeps more than ${maxDataBytes} bytes`);
      await tx.updateTable('registrations').set({ data: json }).where('id', '=', id).execute();
    });
  }

  /** Notes what is about to be made in place of what the row says: a process that dies over it leaves it to be looked for. Null: it is not there. */
  async noteBegun(id: string, begun: RegistrationSubject | null): Promise<void> {
    await this.#db
      .updateTable('registrations')
      .set({ begun: begun && JSON.stringify(begun) })
      .where('id', '=', id)
      .execute();
  }

  /**
   * What is at the service is that subject from now on, and `data` is kept for it. What a call has added meanwhile (`keepData`) stays.
   *
   * @param before the data that `data` was made from.
   * @param begun as `noteBegun` has it.
   */
  async replaceSubject(
    id: string,
    subject: RegistrationSubject,
    before: JsonObject,
    data: JsonObject,
    begun: RegistrationSubject | null = null,
  ): Promise<void> {
    await this.#db
      .updateTable('registrations')
      .set({ subject: JSON.stringify(subject), begun: begun && JSON.stringify(begun) })
      .where('id', '=', id)
      .execute();
    await this.keepData(id, before, data);
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

  /** A worker has brought about what was wanted when it took the row. Where something else is wanted by now, the row stays due. */
  async settle({ id, wanted }: Pick<Registration, 'id' | 'wanted'>, heldBy: string): Promise<void> {
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
    const { rows } = await sql<RegistrationRow>`SELECT *, project_id AS current_project_id FROM registrations
      WHERE held_until > now() AND (NOT wanted OR begun IS NOT NULL) ORDER BY held_until LIMIT 1000`.execute(this.#db);
    return rows.map(toRegistration).map((row) => ({ ...row, subject: row.begun ?? row.subject }));
  }

  /**
   * What a node keeps for one of its webhooks, or for another one where that has no registration of its own: for the calls that they lead to. It may be one
   * that is just being made.
   */
  async find(workflowId: WorkflowId, nodeName: string, name: string): Promise<Pick<Registration, 'id' | 'data'> | undefined> {
    return this.#db
      .selectFrom('registrations')
      .select(['id', 'data'])
      .where('workflow_id', '=', workflowId)
      .where('node_name', '=', nodeName)
      .where((eb) => eb.or([eb('name', '=', name), eb('name', 'like', 'webhook:%')]))
      .orderBy(sql`name <> ${name}`)
      .limit(1)
      .executeTakeFirst();
  }
}

/** As `foreignTypesOf` names it; null: a type of ours. */
const foreignType = sql`CASE WHEN subject #>> '{node,type}' !~ '^(base|n8n-nodes-base)[.]'
  THEN subject #>> '{node,type}' || coalesce('@' || (subject #>> '{node,typeVersion}'), '') END`;

interface RegistrationRow {
  id: string;
  workflow_id: string;
  project_id: string;
  current_project_id: string | null;
  node_name: string;
  name: string;
  subject: JsonObject;
  data: JsonObject;
  wanted: boolean;
  begun: JsonObject | null;
}

function toRegistration(row: RegistrationRow): Registration {
  return {
    id: row.id,
    projectId: row.current_project_id ?? row.project_id,
    nodeName: row.node_name,
    name: row.name,
    subject: row.subject as unknown as RegistrationSubject,
    data: row.data,
    wanted: row.wanted,
    begun: row.begun as unknown as RegistrationSubject | null,
  };
}

/** A row that is there already keeps what it says: that is what the service has. */
async function hold(
  tx: Transaction<Tables>,
  workflowId: WorkflowId,
  { nodeName, name, subject }: PlannedRegistration,
  { heldBy, holdMs }: { heldBy: string; holdMs: number },
): Promise<HeldRegistration> {
  const { rows } = await sql<RegistrationRow & { fresh: boolean; mine: boolean }>`
    INSERT INTO registrations AS r (workflow_id, project_id, node_name, name, subject, data, wanted, due_at, held_by, held_until, unwanted_at)
    SELECT w.id, w.project_id, ${nodeName}, ${name}, ${JSON.stringify(subject)}, '{}', false, ${inMs(holdMs)}, ${heldBy}, ${inMs(holdMs)}, now()
    FROM workflows w WHERE w.id = ${workflowId}
    ON CONFLICT (workflow_id, node_name, name) DO UPDATE SET held_by = excluded.held_by, held_until = excluded.held_until, due_at = excluded.due_at
      WHERE (r.held_until IS NULL OR r.held_until <= now()) AND (r.wanted OR r.project_id = excluded.project_id)
    RETURNING r.*, r.xmax = 0 AS fresh, r.project_id AS current_project_id`.execute(tx);
  const [row] = rows;
  if (row) return { ...toRegistration(row), fresh: row.fresh };
  throw new ConflictError(`the registration of node "${nodeName}" at its service is being changed by somebody else: try again`);
}

/**
 * Part of the transaction that activates a workflow, under its lock: what was brought about for it is wanted from now on, and nothing else. Throws
 * `ConflictError` where the hold has been lost meanwhile.
 */
export async function confirmRegistrations(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  { ids, heldBy }: { ids: readonly string[]; heldBy: string },
): Promise<void> {
  if (ids.length > 0) await want(tx, { ids, heldBy });
  await forsakeRegistrations(tx, workflowId, ids);
}

async function want(tx: Kysely<Tables>, { ids, heldBy }: { ids: readonly string[]; heldBy: string }): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE registrations SET wanted = true, due_at = NULL, held_by = NULL, held_until = NULL, failures = 0, last_error = NULL, unwanted_at = NULL
    WHERE id = ANY (${ids}::bigint[]) AND held_by = ${heldBy} AND held_until > now()`.execute(tx);
  if (Number(numAffectedRows) < ids.length) throw new ConflictError('registering at remote services took too long: try again');
}

/** Part of the transaction that deactivates a workflow, under its lock: none of its registrations is wanted any more, but for `kept`. */
export async function forsakeRegistrations(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  kept: readonly string[] = [],
): Promise<void> {
  await sql`UPDATE registrations SET wanted = false, due_at = now(), failures = 0, last_error = NULL, unwanted_at = now()
    WHERE workflow_id = ${workflowId} AND wanted AND id <> ALL (${kept}::bigint[])`.execute(tx);
}

function inMs(ms: number) {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`;
}
