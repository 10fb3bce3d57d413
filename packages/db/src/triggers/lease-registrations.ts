import { ConflictError, canonicalJson, NotFoundError, type WorkflowId } from '@sluice/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { keyOf, pairUp } from './pair-up.ts';
import { type LeasedRegistration, type PlannedRegistration, type RegistrationRow, toRegistration } from './registration.ts';

/**
 * The registrations that an activation changes at remote services; all of them are leased to it.
 */
export interface PlannedChanges {
  /** The leased registration for each planned one, in order. */
  leasedRegistrations: LeasedRegistration[];
  /**
   * Others to be removed first: a service may allow one webhook per account, so a later removal
   * would also remove the new one.
   */
  ending: LeasedRegistration[];
}

/**
 * Service and account of a registration, and its identity there (null: unknown), as strings to
 * compare.
 */
interface ServiceKey {
  account: string;
  address: string | null;
}

type Present = RegistrationRow & ServiceKey & { is_held: boolean };
type Wanted = PlannedRegistration & ServiceKey;

/**
 * Part of the transaction that begins an activation, under the lock of its workflow. Existing
 * registrations are adopted, including those of renamed nodes, and those of other workflows in the
 * project at the same address that are not removed yet. Throws `ConflictError` if another process
 * is changing one of them, and `WEBHOOK_PATH_TAKEN` if it belongs to another active workflow.
 */
export async function leaseRegistrations(
  tx: Transaction<Tables>,
  workflowId: WorkflowId,
  planned: readonly PlannedRegistration[],
  lease: { heldBy: string; leaseMs: number },
): Promise<PlannedChanges> {
  const wanted = await withKeys(tx, planned);
  await lockAccounts(tx, wanted);
  const { projectId, rows } = await findPresent(tx, workflowId, wanted);
  assertFree({ projectId, rows }, wanted, workflowId);
  const present = rows.filter((row) => row.workflow_id === workflowId || !row.wanted);
  const ofOwn = (keyIn: (row: Present) => string | undefined) => (row: Present) =>
    row.workflow_id === workflowId ? keyIn(row) : undefined;
  const mayTake = (row: Present) => (row.wanted && row.workflow_id === workflowId) || row.project_id === projectId;
  const pairs = pairUp<Present, Wanted>(present.filter(mayTake), wanted, [
    { ofPresent: thingOf, ofWanted: thingOf },
    { ofPresent: ofOwn(nodeOf), ofWanted: nodeOf, alone: true },
    { ofPresent: ofOwn((row) => keyOf(row.node_name, row.name)), ofWanted: (one) => keyOf(one.nodeName, one.name) },
    { ofPresent: ofOwn(parametersOf), ofWanted: parametersOf, alone: true },
  ]);
  const paired = new Set(pairs.values());
  const blocks = blocking(wanted);
  const others = present.filter((row) => !paired.has(row) && blocks(row));
  const claimed = await claim(tx, [...paired, ...others], lease);
  if (!claimed) throw leasedError(wanted);
  const leasedRow = (row: Present) => ({ ...toRegistration(row), fresh: false, wasDue: claimed.get(row.id) === true });
  const leasedRegistrations: LeasedRegistration[] = [];
  for (const one of wanted) {
    const row = pairs.get(one);
    leasedRegistrations.push(row ? leasedRow(row) : await insert(tx, workflowId, one, lease));
  }
  return { leasedRegistrations, ending: others.map(leasedRow) };
}

/**
 * Whether, for the service, another wanted registration is identical to the registration in row
 * `r`: removing either would remove both.
 */
export function isWantedElsewhere(subject: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM registrations o WHERE o.wanted AND ${isOtherSame(subject)})`;
}

/** The same for a registration that another process is changing. */
export function isBusyElsewhere(subject: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM registrations o WHERE o.held_until > now() AND ${isOtherSame(subject)})`;
}

function isOtherSame(subject: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`o.id <> r.id AND registration_address(o.name, o.subject) = registration_address(r.name, ${subject})
    AND registration_account(o.name, o.subject) = registration_account(r.name, ${subject})`;
}

async function withKeys(tx: Transaction<Tables>, planned: readonly PlannedRegistration[]): Promise<Wanted[]> {
  const names = planned.map(({ name }) => name);
  const subjects = planned.map(({ subject }) => JSON.stringify(subject));
  const { rows } = await sql<ServiceKey>`
    SELECT registration_account(i.name, i.subject) AS account, registration_address(i.name, i.subject) AS address
    FROM unnest(${names}::text[], ${subjects}::json[]) WITH ORDINALITY AS i (name, subject, n) ORDER BY n`.execute(tx);
  return rows.flatMap((key, i) => (planned[i] ? [{ ...planned[i], ...key }] : []));
}

/**
 * Serializes activations that want the same registration at a service; no table constraint could
 * detect the conflict. Locks are taken in a fixed order, so activations do not deadlock.
 */
async function lockAccounts(tx: Transaction<Tables>, wanted: readonly Wanted[]): Promise<void> {
  const accounts = [...new Set(wanted.map(({ account }) => account))].toSorted();
  for (const account of accounts) await sql`SELECT pg_advisory_xact_lock(hashtextextended(${account}, 30))`.execute(tx);
}

/**
 * The workflow's registrations, those to be removed at the same accounts, and those at the same
 * addresses; wanted ones first.
 */
async function findPresent(
  tx: Transaction<Tables>,
  workflowId: WorkflowId,
  wanted: readonly Wanted[],
): Promise<{ projectId: string; rows: Present[] }> {
  const accounts = wanted.map(({ account }) => account);
  const addresses = wanted.flatMap(({ address }) => address ?? []);
  const workflow = await tx.selectFrom('workflows').select('project_id').where('id', '=', workflowId).executeTakeFirst();
  if (!workflow) throw new NotFoundError(`workflow ${workflowId} does not exist`);
  const { rows } = await sql<Present>`
    SELECT r.*, (SELECT w.project_id FROM workflows w WHERE w.id = r.workflow_id) AS current_project_id,
      registration_account(r.name, r.subject) AS account, registration_address(r.name, r.subject) AS address,
      coalesce(r.held_until > now(), false) AS is_held, ${isWantedElsewhere(sql`r.subject`)} AS is_live,
      ${isWantedElsewhere(sql`r.begun`)} AS is_replacement_live
    FROM registrations r WHERE r.workflow_id = ${workflowId}
      OR (NOT r.wanted AND registration_account(r.name, r.subject) = ANY (${accounts}::text[]))
      OR registration_address(r.name, r.subject) = ANY (${addresses}::text[])
    ORDER BY r.wanted DESC, r.id`.execute(tx);
  return { projectId: workflow.project_id, rows };
}

/** Fails before any service request that would affect a registration of another active workflow. */
function assertFree(
  { projectId, rows }: { projectId: string; rows: readonly Present[] },
  wanted: readonly Wanted[],
  workflowId: WorkflowId,
): void {
  const live = rows.filter((row) => row.wanted && row.workflow_id !== workflowId);
  const byThing = new Map(live.toReversed().map((row) => [thingOf(row), row]));
  for (const one of wanted) {
    const thing = thingOf(one);
    const holder = thing && byThing.get(thing);
    if (!holder || Object.keys(one.subject.urls).length === 0) continue;
    // The error reveals nothing about other projects.
    const where =
      holder.current_project_id === projectId
        ? `node "${holder.node_name}" of workflow ${holder.workflow_id}`
        : 'another workflow';
    throw new ConflictError(`the webhook of node "${one.nodeName}" is taken by ${where}`, 'WEBHOOK_PATH_TAKEN');
  }
}

/** Equal for registrations that are identical for the service. */
function thingOf({ account, address }: ServiceKey): string | undefined {
  return address === null ? undefined : keyOf(account, address);
}

/** Equal for the same hook of a node. */
function nodeOf({ name, subject }: Present | Wanted): string | undefined {
  const { id, type } = toSubject(subject).node;
  return id === undefined ? undefined : keyOf(id, type, name);
}

/** Equal for the same parameters at the same account. */
function parametersOf({ account, subject }: Present | Wanted): string {
  return keyOf(account, canonicalJson(toSubject(subject).node.parameters));
}

const toSubject = (subject: Present['subject'] | Wanted['subject']) => subject as unknown as Wanted['subject'];

/**
 * Whether a registration that is not adopted has to be removed first. One whose removal has failed
 * so far may wait for the service: workers check the registrations made in the meantime, except
 * hooks.
 */
function blocking(wanted: readonly Wanted[]): (row: Present) => boolean {
  const accounts = new Set(wanted.map(({ account }) => account));
  const things = new Set(wanted.map(thingOf));
  return (row) => {
    if (!accounts.has(row.account)) return false;
    if (row.address !== null && things.has(thingOf(row))) return true;
    const isOthers = row.is_held && row.held_by?.startsWith('activation:') === true;
    return !isOthers && (row.failures === 0 || row.name === 'hooks');
  };
}

/**
 * Whether each row, by id, was due. `undefined` if another process has leased one of them. Does not
 * wait, to avoid deadlocks.
 */
async function claim(
  tx: Transaction<Tables>,
  rows: readonly Present[],
  { heldBy, leaseMs }: { heldBy: string; leaseMs: number },
): Promise<Map<string, boolean> | undefined> {
  const ids = rows.map(({ id }) => id);
  const { rows: claimed } = await sql<{ id: string; was_due: boolean }>`
    UPDATE registrations r SET held_by = ${heldBy}, held_until = ${inMs(leaseMs)}, due_at = ${inMs(leaseMs)}
    FROM (SELECT id, due_at FROM registrations WHERE id = ANY (${ids}::bigint[]) AND (held_until IS NULL OR held_until <= now())
      FOR UPDATE SKIP LOCKED) AS free
    WHERE r.id = free.id RETURNING r.id, free.due_at IS NOT NULL AS was_due`.execute(tx);
  return claimed.length === ids.length ? new Map(claimed.map(({ id, was_due }) => [id, was_due])) : undefined;
}

function leasedError(wanted: readonly Wanted[]): ConflictError {
  const names = [...new Set(wanted.map(({ nodeName }) => `"${nodeName}"`))].join(', ');
  return new ConflictError(`the registration of node ${names} at its service is being changed by another process: try again`);
}

async function insert(
  tx: Transaction<Tables>,
  workflowId: WorkflowId,
  { nodeName, name, subject }: PlannedRegistration,
  { heldBy, leaseMs }: { heldBy: string; leaseMs: number },
): Promise<LeasedRegistration> {
  const { rows } = await sql<RegistrationRow>`
    INSERT INTO registrations (workflow_id, project_id, node_name, name, subject, data, wanted, due_at, held_by, held_until, unwanted_at)
    SELECT w.id, w.project_id, ${nodeName}, ${name}, ${JSON.stringify(subject)}, '{}', false, ${inMs(leaseMs)}, ${heldBy}, ${inMs(leaseMs)}, now()
    FROM workflows w WHERE w.id = ${workflowId}
    RETURNING *, project_id AS current_project_id, false AS is_live, false AS is_replacement_live`.execute(tx);
  return { ...toRegistration(rows[0] as RegistrationRow), fresh: true, wasDue: false };
}

export function inMs(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`;
}
