import { GroupCommit, type WorkerId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';
import { appendNodeRuns, type NewNodeRun } from './append-node-runs.ts';
import {
  type Claim,
  type ClaimedExecution,
  type ComputingRef,
  claimExecutions,
  deferExecution,
  readComputing,
} from './claim-executions.ts';
import { type Ending, finishExecutions } from './finish-executions.ts';
import { type HandBack, handBackExecutions } from './hand-back-executions.ts';

/**
 * Maximum characters of JSON per statement, to limit the memory that a group of large node runs
 * needs.
 */
const maxGroupLength = 8 * 1024 * 1024;

interface ExecutionRecorderOptions {
  /** This worker's types from installed packages, as `foreignTypeNames` returns them. */
  nodeTypes?: readonly string[];
  /** Milliseconds between two statements of the same kind; see `GroupCommit`. Default: 0. */
  pauseMs?: () => number;
}

const lengthOf = (runs: readonly NewNodeRun[]) => runs.reduce((sum, { json }) => sum + json.length, 0);

/**
 * A worker's writes for the executions that it owns: claim → append node runs → finish. Each is a
 * guarded statement shared by all calls in flight (group commit). A failed guard returns
 * `undefined` or `false`: the worker no longer owns the execution, and the caller must stop and
 * write nothing further for it.
 */
export class ExecutionRecorder {
  readonly #db: Database;
  readonly #claims: GroupCommit<Claim, ClaimedExecution | undefined>;
  readonly #reads: GroupCommit<ComputingRef, ClaimedExecution | undefined>;
  readonly #handBacks: GroupCommit<HandBack, boolean>;
  readonly #nodeRuns: GroupCommit<readonly NewNodeRun[], boolean>;
  readonly #endings: GroupCommit<Ending, boolean>;

  constructor(db: Database, workerId: () => WorkerId, { nodeTypes = [], pauseMs = () => 0 }: ExecutionRecorderOptions = {}) {
    this.#db = db;
    // A claim is sent at once: jobs arrive one at a time, and a turn of the event loop would let
    // the queue's work for the next job run first.
    this.#claims = new GroupCommit<Claim, ClaimedExecution | undefined>(
      (refs) => claimExecutions(db, { workerId: workerId(), nodeTypes }, refs),
      { name: 'claims', atOnce: true, pauseMs },
    );
    this.#reads = new GroupCommit<ComputingRef, ClaimedExecution | undefined>((refs) => readComputing(db, refs), {
      name: 'reads',
      atOnce: true,
      pauseMs,
    });
    this.#handBacks = new GroupCommit<HandBack, boolean>((claims) => handBackExecutions(db, workerId(), claims));
    this.#nodeRuns = new GroupCommit<readonly NewNodeRun[], boolean>((batches) => appendNodeRuns(db, workerId(), batches), {
      name: 'node_runs',
      weigh: lengthOf,
      maxWeight: maxGroupLength,
    });
    this.#endings = new GroupCommit<Ending, boolean>((endings) => finishExecutions(db, workerId(), endings), {
      name: 'endings',
      pauseMs,
      weigh: ({ runs = [] }) => lengthOf(runs),
      maxWeight: maxGroupLength,
    });
  }

  /**
   * Takes ownership: `new` (or a retry's unclaimed `running`) → `running`, owned by this worker.
   * `undefined`: owned by another worker, ended, or deleted. Claiming an execution again succeeds,
   * because the reply to the first claim may have been lost; so the caller must not claim what it
   * already runs. Throws `UnavailableError` while this worker's lease is expired: after a database
   * outage, jobs arrive before the renewal, and would otherwise be lost until the sweeper delivers
   * them again.
   */
  claim(ref: Claim): Promise<ClaimedExecution | undefined> {
    return this.#claims.add(ref);
  }

  /**
   * Reads a new execution that may run before it is claimed: it must be claimed, with its
   * `unclaimedSince`, before any write other than `finish` (ADR 79). `undefined`: it has to be
   * claimed first, or cannot run.
   */
  runUnclaimed(ref: ComputingRef): Promise<ClaimedExecution | undefined> {
    return this.#reads.add(ref);
  }

  /**
   * Undoes a claim; any worker may then claim the attempt, and continues after the stored node
   * runs. The execution is the first of its workflow to start. False if this worker no longer owns
   * it, or if running attempts of it were handed back too often.
   */
  handBack(claim: HandBack): Promise<boolean> {
    return this.#handBacks.add(claim);
  }

  /**
   * For a failed claim: whether the execution waits for a worker that has its node types, so that
   * its job has to be redelivered; and the rarest of these types among the kinds of workers, null
   * if no worker has any of them. The sweeper skips the execution in the meantime.
   */
  deferToOthers(ref: AttemptRef): Promise<{ type: string | null } | undefined> {
    return deferExecution(this.#db, ref);
  }

  /**
   * Appends finished node runs of one execution, all or none; false if this worker no longer owns
   * the execution.
   */
  append(runs: readonly NewNodeRun[]): Promise<boolean> {
    return this.#nodeRuns.add(runs);
  }

  /**
   * Ends the execution and stores its last node runs; links a successful retry to its original.
   * Safe to repeat. False, with nothing stored, if this worker no longer owns the execution.
   */
  finish(ending: Ending): Promise<boolean> {
    return this.#endings.add(ending);
  }
}
