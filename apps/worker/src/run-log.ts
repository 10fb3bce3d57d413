import type { AttemptRef, ExecutionRecorder } from '@sluice/db';
import { AppError, errorMessage, type NodeRun, type NodeRunRecord } from '@sluice/domain';
import type { RunRecorder } from '@sluice/engine';
import { untilAvailable } from './until-available.ts';

export interface RunDataLimits {
  nodeRunMaxBytes: number;
  executionMaxBytes: number;
}

/** Node runs that may wait for the database before the engine has to pause. */
const maxPending = 32;

/** The guard of a write did not hold: the execution is no longer this worker's. Nothing more may be written for it. */
export class ExecutionLostError extends AppError {
  constructor(ref: AttemptRef) {
    super({ code: 'EXECUTION_LOST', message: `execution ${ref.executionId} is no longer this worker's` });
  }
}

/** A node gave more than the caps allow (decision 4.11). */
export class RunDataTooLargeError extends AppError {
  readonly nodeName: string;

  constructor(nodeName: string, message: string) {
    super({ code: 'RUN_DATA_TOO_LARGE', message });
    this.nodeName = nodeName;
  }
}

/**
 * The engine's recorder for one execution: serialises each node run once, holds it against the caps, and appends it in the
 * background, in order. The engine goes on meanwhile and is made to wait only when too many are pending.
 */
export class RunLog implements RunRecorder {
  readonly #recorder: ExecutionRecorder;
  readonly #ref: AttemptRef;
  readonly #limits: RunDataLimits;
  readonly #signal: AbortSignal;
  readonly #pending = new Set<Promise<void>>();
  #failure: unknown;
  #bytes = 0;
  #seq: number;

  /** `firstSeq`: how many node runs the execution already has. `signal`: ends the wait for a database that is away. */
  constructor(recorder: ExecutionRecorder, ref: AttemptRef, limits: RunDataLimits, firstSeq: number, signal: AbortSignal) {
    this.#recorder = recorder;
    this.#ref = ref;
    this.#limits = limits;
    this.#seq = firstSeq;
    this.#signal = signal;
  }

  nodeFinished(record: NodeRunRecord): void | Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const json = this.#serialise(record);
    if (json instanceof RunDataTooLargeError) return this.#refuse(record, json);
    this.#append(record, json);
    if (this.#pending.size >= maxPending) return this.#settled();
  }

  /** Resolves when every node run is stored; throws what kept one from it. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #serialise(record: NodeRunRecord): string | RunDataTooLargeError {
    const { nodeRunMaxBytes, executionMaxBytes } = this.#limits;
    const { nodeName } = record;
    const tooLarge = (what: string, max: number) =>
      new RunDataTooLargeError(nodeName, `${what} of node "${nodeName}" are over the cap of ${max} bytes`);
    let json: string;
    try {
      json = JSON.stringify(record.run);
    } catch (error) {
      return new RunDataTooLargeError(nodeName, `the data of node "${nodeName}" cannot be stored: ${errorMessage(error)}`);
    }
    const bytes = Buffer.byteLength(json);
    if (bytes > nodeRunMaxBytes) return tooLarge(`${bytes} bytes of output`, nodeRunMaxBytes);
    if (this.#bytes + bytes > executionMaxBytes)
      return tooLarge('the data of the execution up to the output', executionMaxBytes);
    this.#bytes += bytes;
    return json;
  }

  /** Records the node run as failed, without its data, and ends the run. */
  #refuse({ nodeName, runIndex, run }: NodeRunRecord, error: RunDataTooLargeError): never {
    const { data: _, ...rest } = run;
    const failed: NodeRun = {
      ...rest,
      executionStatus: 'error',
      error: { message: error.message, code: error.code, node: nodeName },
      truncated: true,
    };
    this.#append({ nodeName, runIndex, run: failed }, JSON.stringify(failed));
    throw error;
  }

  #append({ nodeName, runIndex, run }: NodeRunRecord, json: string): void {
    const row = { ...this.#ref, seq: this.#seq++, nodeName, runIndex, failed: run.executionStatus === 'error', json };
    const appended = untilAvailable(() => this.#recorder.append(row), this.#signal).then(
      (ours) => {
        if (!ours) this.#failure ??= new ExecutionLostError(this.#ref);
      },
      (error: unknown) => {
        this.#failure ??= error;
      },
    );
    this.#pending.add(appended);
    void appended.then(() => this.#pending.delete(appended));
  }

  async #settled(): Promise<void> {
    await Promise.race(this.#pending);
    if (this.#failure !== undefined) throw this.#failure;
  }
}
