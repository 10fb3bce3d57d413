import { type ExecutionId, GroupCommit, UnavailableError, type WorkerId } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../connection/database.ts';
import { type ClaimedExecution, type ClaimRow, observeClaim, toClaimed } from '../executions/attempts/claim-executions.ts';
import { type AttemptRef, attemptKey, sortedById } from '../executions/row/attempt-ref.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { areAnyLimited, listBlocking, nextBlocked, nextCapacityMs, unblockBatchSize } from './blocked-executions.ts';
import { fitBlocked, fitClaims, type LimitDecision } from './fit.ts';
import { type LimitedExecution, lockLimits } from './limit-state.ts';
import { recountLimited } from './recount-limited.ts';
import { type DecidedExecution, writeDecisions } from './write-decisions.ts';

/** A skipped execution: it has ended as `canceled`. */
export interface SkippedExecution {
  id: ExecutionId;
  parentId: ExecutionId | null;
}

/** Result of a claim. `blocked`: a limit blocks it; a worker enqueues it once it is unblocked. */
export type LimitedClaim =
  | { kind: 'claimed'; claimed: ClaimedExecution }
  | { kind: 'skipped'; skipped: SkippedExecution }
  | { kind: 'blocked' };

/** Result of looking for blocked executions that may start. */
export interface Unblocking {
  /** To be enqueued. */
  unblocked: AttemptRef[];
  skipped: SkippedExecution[];
  /**
   * Milliseconds until more of them may have capacity: 0 if there may be more now, otherwise based
   * on the per-second limits of all; `undefined` if these block none.
   */
  againInMs: number | undefined;
}

/**
 * Maximum number of batches per search: several are needed if many can start, or if another
 * limit turns out to block an execution.
 */
const maxRounds = 5;

/**
 * Executions to which limits apply. An execution is claimed if all its limits have capacity;
 * otherwise one of them blocks it. Once they have capacity, it is unblocked: it counts toward them
 * from then on, and is enqueued and claimed like any other.
 *
 * Decisions are made in a transaction that has locked the limits. Usage is counted from the
 * execution rows, so nothing has to be released when an execution ends. All workers may call every
 * method concurrently and repeatedly.
 */
export class LimitedExecutionRepository {
  readonly #db: Database;
  readonly #workerId: () => WorkerId;
  readonly #nodeTypes: readonly string[];
  readonly #claims: GroupCommit<AttemptRef, LimitedClaim | undefined>;

  /** @param nodeTypes as for `ExecutionRecorder`. */
  constructor(db: Database, workerId: () => WorkerId, nodeTypes: readonly string[] = []) {
    this.#db = db;
    this.#workerId = workerId;
    this.#nodeTypes = nodeTypes;
    this.#claims = new GroupCommit<AttemptRef, LimitedClaim | undefined>((refs) => this.#claim(refs), { atOnce: true });
  }

  /**
   * For an execution that `ExecutionRecorder.claim` has not claimed. `undefined`: no limit applies
   * to it, or it cannot be claimed for another reason. Safe to repeat. Throws the errors of that
   * method.
   */
  claim(ref: AttemptRef): Promise<LimitedClaim | undefined> {
    return this.#claims.add(ref);
  }

  /**
   * Unblocks executions that these limits (default: all) block, the oldest first, as many as fit.
   */
  async unblock(limitIds?: readonly number[]): Promise<Unblocking> {
    const { kysely } = this.#db;
    const unblocking: Unblocking = { unblocked: [], skipped: [], againInMs: undefined };
    const ids = limitIds ?? (await listBlocking(kysely));
    if (ids.length === 0) return unblocking;
    for (let round = 0; round < maxRounds; round += 1) {
      const next = await nextBlocked(kysely, ids);
      const decided = next.length === 0 ? [] : await inTransaction(kysely, (tx) => this.#unblockIn(tx, next));
      unblocking.unblocked.push(...decided.filter(isOf('unblocked')).map(({ execution }) => refOf(execution)));
      unblocking.skipped.push(...decided.filter(isOf('skipped')).map(({ execution }) => skippedOf(execution)));
      const isLast = decided.length === 0 || (next.length < unblockBatchSize && decided.every(isOf('unblocked')));
      if (isLast) return { ...unblocking, againInMs: limitIds ? undefined : await nextCapacityMs(kysely, ids) };
    }
    return { ...unblocking, againInMs: 0 };
  }

  /**
   * Makes running executions count toward limits that were set after their claim and, if their
   * workflow has moved, toward the limits of its new project instead of the old one.
   */
  async recount(): Promise<void> {
    await recountLimited(this.#db.kysely);
  }

  async #claim(refs: readonly AttemptRef[]): Promise<(LimitedClaim | undefined)[]> {
    const ids = refs.map(({ executionId }) => executionId);
    if (!(await areAnyLimited(this.#db, ids))) return refs.map(() => undefined);
    const { decided, rows } = await inTransaction(this.#db.kysely, (tx) => this.#claimIn(tx, sortedById(refs)));
    const byAttempt = new Map(decided.map((each) => [attemptKey(each.execution), each]));
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const claims = refs.map(async (ref): Promise<LimitedClaim | undefined> => {
      const { executionId } = ref;
      const ofAttempt = byAttempt.get(attemptKey(ref));
      // If a reference occurs twice in one group (a duplicate job), only one of them gets the
      // claim.
      byAttempt.delete(attemptKey(ref));
      if (!ofAttempt) return undefined;
      const row = rowOf.get(executionId);
      if (row) {
        observeClaim(row);
        return { kind: 'claimed', claimed: await toClaimed(executionId, row) };
      }
      return ofAttempt.decision.kind === 'skipped'
        ? { kind: 'skipped', skipped: skippedOf(ofAttempt.execution) }
        : { kind: 'blocked' };
    });
    return Promise.all(claims);
  }

  async #claimIn(
    tx: Transaction<Tables>,
    refs: readonly AttemptRef[],
  ): Promise<{ decided: DecidedExecution[]; rows: ClaimRow[] }> {
    const workerId = this.#workerId();
    const wanted = new Set(refs.map(attemptKey));
    const ids = [...new Set(refs.map(({ executionId }) => executionId))];
    const state = await lockLimits(tx, ids, this.#nodeTypes);
    state.executions = state.executions.filter(
      (execution) => wanted.has(attemptKey(execution)) && execution.limitIds.length > 0,
    );
    await assertLease(tx, workerId);
    const decided = pair(state.executions, fitClaims(state, workerId));
    return { decided, rows: await writeDecisions(tx, decided, state, workerId) };
  }

  async #unblockIn(tx: Transaction<Tables>, ids: readonly ExecutionId[]): Promise<DecidedExecution[]> {
    const state = await lockLimits(tx, ids, this.#nodeTypes);
    const decided = pair(state.executions, fitBlocked(state));
    await writeDecisions(tx, decided, state, this.#workerId());
    return decided;
  }
}

function pair(executions: readonly LimitedExecution[], decisions: readonly (LimitDecision | undefined)[]): DecidedExecution[] {
  return executions.flatMap((execution, i) => {
    const decision = decisions[i];
    return decision ? [{ execution, decision }] : [];
  });
}

function isOf(kind: LimitDecision['kind']): (decided: DecidedExecution) => boolean {
  return ({ decision }) => decision.kind === kind;
}

function refOf({ executionId, attempt }: LimitedExecution): AttemptRef {
  return { executionId, attempt };
}

function skippedOf({ executionId, parentId }: LimitedExecution): SkippedExecution {
  return { id: executionId, parentId };
}

async function assertLease(tx: Transaction<Tables>, workerId: WorkerId): Promise<void> {
  const { rows } = await sql`SELECT FROM workers WHERE id = ${workerId} AND lease_expires_at > now()`.execute(tx);
  if (rows.length === 0) throw new UnavailableError("this worker's lease has expired");
}
