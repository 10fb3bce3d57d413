import { concurrencyOf, type WhenFull, type WorkflowId, type WorkflowSettings } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Limits on the executions of a project or a credential; null: no limit. */
export interface OwnLimits {
  /** Maximum number of executions that run at once. */
  concurrency: number | null;
}

export interface CredentialLimits extends OwnLimits {
  /** Maximum number of executions that start within a second. */
  ratePerSecond: number | null;
}

interface NewLimit {
  maxRunning: number | null;
  perSecond?: number | null;
  whenFull?: WhenFull;
}

/** Sets the workflow's limit to the one in its settings. */
export async function putWorkflowLimit(
  tx: Transaction<Tables>,
  id: WorkflowId,
  settings: WorkflowSettings | undefined,
): Promise<void> {
  const setting = concurrencyOf(settings);
  await putLimit(tx, 'workflow_id', id, { maxRunning: setting?.limit ?? null, ...setting });
}

export async function putProjectLimit(tx: Transaction<Tables>, id: string, { concurrency }: OwnLimits): Promise<void> {
  await putLimit(tx, 'project_id', id, { maxRunning: concurrency });
}

export async function putCredentialLimits(
  tx: Transaction<Tables>,
  id: string,
  { concurrency, ratePerSecond }: CredentialLimits,
): Promise<void> {
  await putLimit(tx, 'credential_id', id, { maxRunning: concurrency, perSecond: ratePerSecond });
}

/** Executions that a removed limit blocks are unblocked at the next check by a worker. */
async function putLimit(
  tx: Transaction<Tables>,
  owner: 'workflow_id' | 'project_id' | 'credential_id',
  id: string,
  { maxRunning, perSecond = null, whenFull = 'queue' }: NewLimit,
): Promise<void> {
  if (maxRunning === null && perSecond === null) {
    await tx.deleteFrom('execution_limits').where(owner, '=', id).execute();
    return;
  }
  await sql`
    INSERT INTO execution_limits (${sql.ref(owner)}, max_running, per_second, when_full)
    VALUES (${id}, ${maxRunning}, ${perSecond}, ${whenFull})
    ON CONFLICT (${sql.ref(owner)}) DO UPDATE SET max_running = excluded.max_running, per_second = excluded.per_second,
      when_full = excluded.when_full`.execute(tx);
}
