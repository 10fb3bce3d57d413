import type { AttemptRef, ExecutionRecorder, NewNodeRun } from '@sluice/db';
import { untilAvailable } from '@sluice/domain';
import type { LateClaim } from '../claims/late-claim.ts';
import { ExecutionLostError } from '../claims/late-claim.ts';

interface NodeRunBatchesOptions {
  recorder: Pick<ExecutionRecorder, 'append'>;
  ref: AttemptRef;
  claim: Pick<LateClaim, 'ensure'>;
  /** Ends the wait for an unreachable database. */
  signal: AbortSignal;
  /**
   * Milliseconds for which runs of nodes without side effects are deferred: an execution that ends
   * by then stores them with its end.
   */
  deferMs: () => number;
  /** Called after each batch. */
  onStored(): void;
}

/** Maximum characters of JSON of deferred runs: 200 to 400 runs with one short item each. */
const maxDeferredLength = 64 * 1024;
/** Maximum runs that wait for a statement in flight. */
const maxWaiting = 64;
/** Maximum characters of JSON per statement; a larger node run is sent alone. */
const maxBatchLength = 4 * 1024 * 1024;

/**
 * Stores the node runs of one execution in the background, in batches. Stored runs are always a
 * prefix of the added ones: one statement is in flight at a time, and the next statement continues
 * where it ended.
 *
 * A run is deferred for a moment, because most executions are short: the statement that ends an
 * execution stores its remaining runs. After a failed write nothing more is sent, and each method
 * throws its error.
 */
export class NodeRunBatches {
  readonly #options: NodeRunBatchesOptions;
  /** Runs in order, excluding those of the statement in flight. */
  #gathered: NewNodeRun[] = [];
  #gatheredLength = 0;
  /** Ends the deferral. */
  #deferral: Disposable | undefined;
  /** Whether the gathered runs are sent as soon as nothing is in flight. */
  #isDue = false;
  #storing: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: NodeRunBatchesOptions) {
    this.#options = options;
  }

  /** Whether so many runs wait for the statement in flight that the engine should pause. */
  get isBehind(): boolean {
    return this.#storing !== undefined && this.#gathered.length >= maxWaiting;
  }

  get isStored(): boolean {
    return this.#gathered.length === 0 && !this.#storing && this.#failure === undefined;
  }

  /** Throws the error of a failed write. */
  assertStorable(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * `mayAct`: the node may have had side effects, so the run is deferred only until the engine ends
   * or reaches the next node.
   */
  add(run: NewNodeRun, { mayAct }: { mayAct: boolean }): void {
    this.#gathered.push(run);
    this.#gatheredLength += run.json.length;
    if (this.#isMuch()) this.#store();
    else if (!this.#isDue) this.#deferral ??= this.#defer(mayAct);
  }

  /** Resolves when every run is stored. */
  async flush(): Promise<void> {
    while (this.#failure === undefined && this.#gathered.length > 0) {
      this.#store();
      await this.#storing;
    }
    await this.batchStored();
  }

  /** Resolves to the runs to store with the execution's end, once all others are stored. */
  async rest(): Promise<readonly NewNodeRun[]> {
    if (this.#isMuch()) await this.flush();
    this.#endDeferral();
    await this.batchStored();
    return this.#take(this.#gathered.length);
  }

  /** Resolves when the statement in flight has ended. */
  async batchStored(): Promise<void> {
    await this.#storing;
    this.assertStorable();
  }

  #isMuch(): boolean {
    return this.#gatheredLength > maxDeferredLength;
  }

  #defer(mayAct: boolean): Disposable {
    return mayAct ? setImmediate(() => this.#store()) : setTimeout(() => this.#store(), this.#options.deferMs());
  }

  #endDeferral(): void {
    this.#deferral?.[Symbol.dispose]();
    this.#deferral = undefined;
    this.#isDue = false;
  }

  /** Sends the gathered runs, or lets them follow the statement in flight. */
  #store(): void {
    this.#endDeferral();
    if (this.#failure !== undefined || this.#gathered.length === 0) return;
    if (!this.#storing) this.#storing = this.#append(this.#take(this.#batchSize())).then(() => this.#stored());
    this.#isDue = this.#gathered.length > 0;
  }

  #stored(): void {
    this.#storing = undefined;
    if (this.#isDue) this.#store();
  }

  #batchSize(): number {
    let length = 0;
    const end = this.#gathered.findIndex(({ json }) => {
      length += json.length;
      return length > maxBatchLength;
    });
    return end < 0 ? this.#gathered.length : Math.max(1, end);
  }

  #take(count: number): readonly NewNodeRun[] {
    const batch = this.#gathered.splice(0, count);
    for (const { json } of batch) this.#gatheredLength -= json.length;
    return batch;
  }

  async #append(batch: readonly NewNodeRun[]): Promise<void> {
    const { recorder, ref, claim, signal, onStored } = this.#options;
    try {
      const claiming = claim.ensure();
      if (claiming) await claiming;
      const ours = await untilAvailable(() => recorder.append(batch), signal);
      if (ours) onStored();
      else this.#failure = new ExecutionLostError(ref);
    } catch (error) {
      this.#failure = error;
    }
  }
}
