import type { AttemptRef, ExecutionRecorder, NewNodeRun } from '@sluice/db';
import {
  AppError,
  type ErrorCode,
  errorMessage,
  exceedsDepth,
  maxDataDepth,
  type NodeRun,
  type NodeRunRecord,
} from '@sluice/domain';
import type { RunRecorder } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';
import type { ExecutionReport } from './progress-reporter.ts';
import { untilAvailable } from './until-available.ts';

export interface RunDataLimits {
  nodeRunMaxBytes: number;
  executionMaxBytes: number;
}

export interface RunLogOptions {
  ref: AttemptRef;
  limits: RunDataLimits;
  /** The node runs that the execution has already, and how much JSON they are. */
  stored: { count: number; bytes: number };
  /** Ends the wait for a database that is away. */
  signal: AbortSignal;
  /** Knows the secrets that the execution has used so far. */
  scrubber: SecretScrubber;
  report: ExecutionReport;
}

/** Node runs that may wait for the database before the engine has to pause. */
const maxPending = 32;

/** Milliseconds for which node runs are held back: a run that ends by then stores them together with its end. */
const holdMs = 5;
/** How many are held back, and how much JSON they may be, in characters. */
const maxHeld = { count: 8, length: 64 * 1024 };

/** The guard of a write did not hold: the execution is no longer this worker's. Nothing more may be written for it. */
export class ExecutionLostError extends AppError {
  constructor({ executionId }: Pick<AttemptRef, 'executionId'>) {
    super({ code: 'EXECUTION_LOST', message: `execution ${executionId} is no longer this worker's` });
  }
}

/** A node gave what cannot be stored. */
abstract class RunDataError extends AppError {
  readonly nodeName: string;
  /** What the author can do about it. */
  readonly description: string;

  constructor(nodeName: string, { code, message, hint }: { code: ErrorCode; message: string; hint: string }) {
    super({ code, message });
    this.nodeName = nodeName;
    this.description = hint;
  }
}

/** A node gave more than the caps allow (decision 4.11). */
export class RunDataTooLargeError extends RunDataError {
  constructor(nodeName: string, message: string, hint = 'Have the node give less data.') {
    super(nodeName, { code: 'RUN_DATA_TOO_LARGE', message, hint });
  }
}

/** A node gave data that JSON cannot hold: a BigInt, say, or an object that holds itself. */
export class RunDataNotJsonError extends RunDataError {
  constructor(nodeName: string, reason: string) {
    const message = `output of node "${nodeName}" is not valid: ${reason}`;
    super(nodeName, { code: 'INVALID_NODE_OUTPUT', message, hint: 'Have the node give plain data, as JSON can hold them.' });
  }
}

/** A node gave data nested deeper than those who read them can follow. */
export class RunDataTooDeepError extends RunDataError {
  constructor(nodeName: string) {
    const message = `the data of node "${nodeName}" are nested deeper than ${maxDataDepth} levels`;
    super(nodeName, { code: 'RUN_DATA_TOO_DEEP', message, hint: 'Have the node give flatter data.' });
  }
}

/**
 * The engine's recorder for one execution: serialises each node run once, takes used secrets out of it, holds it against the caps,
 * and appends it in the background, in order. The engine goes on meanwhile and is made to wait only when too many are pending. Small ones are
 * held back for a moment first, since most runs are over soon: one write then does for all that is left of them.
 */
export class RunLog implements RunRecorder {
  readonly #recorder: ExecutionRecorder;
  readonly #ref: AttemptRef;
  readonly #limits: RunDataLimits;
  readonly #signal: AbortSignal;
  readonly #scrubber: SecretScrubber;
  readonly #report: ExecutionReport;
  readonly #pending = new Set<Promise<void>>();
  #held: NewNodeRun[] = [];
  #heldLength = 0;
  #holding: NodeJS.Timeout | undefined;
  #failure: unknown;
  #bytes: number;
  #seq: number;
  #last: string | undefined;

  constructor(recorder: ExecutionRecorder, { ref, limits, stored, signal, scrubber, report }: RunLogOptions) {
    this.#recorder = recorder;
    this.#ref = ref;
    this.#limits = limits;
    this.#seq = stored.count;
    this.#bytes = stored.bytes;
    this.#signal = signal;
    this.#scrubber = scrubber;
    this.#report = report;
  }

  /** The JSON of the node run that ended last; `undefined` before the first one. */
  get last(): string | undefined {
    return this.#last;
  }

  nodeStarted(nodeName: string, runIndex: number): void {
    this.#report.nodeStarted({ nodeName, runIndex, seq: this.#seq, startTime: Date.now() });
  }

  nodeFinished(record: NodeRunRecord): void | Promise<void> {
    this.#report.nodeFinished();
    if (this.#failure !== undefined) throw this.#failure;
    const json = this.#serialise(record);
    if (json instanceof RunDataError) return this.#refuse(record, json);
    this.#hold(record, json);
    if (this.#pending.size >= maxPending) return this.#settled();
  }

  /** Resolves when every node run is stored; throws what kept one from it. */
  async flush(): Promise<void> {
    this.#appendHeld();
    await this.rest();
  }

  /** Resolves to the node runs that are to be stored with the end of the execution, when all others are; throws what kept one from it. */
  async rest(): Promise<readonly NewNodeRun[]> {
    const rest = this.#takeHeld();
    await Promise.all(this.#pending);
    if (this.#failure !== undefined) throw this.#failure;
    return rest;
  }

  #serialise(record: NodeRunRecord): string | RunDataError {
    const { nodeRunMaxBytes, executionMaxBytes } = this.#limits;
    const { nodeName } = record;
    const tooLarge = (what: string, max: number, setting: string) => {
      const hint = `Have the node give less data, or fewer items at a time; the cap is the setting ${setting}.`;
      return new RunDataTooLargeError(nodeName, `${what} of node "${nodeName}" are over the cap of ${max} bytes`, hint);
    };
    let json: string;
    try {
      json = this.#scrubber.scrubJson(JSON.stringify(record.run));
    } catch (error) {
      if (isStackOverflow(error)) return new RunDataTooDeepError(nodeName);
      if (!(error instanceof RangeError)) return new RunDataNotJsonError(nodeName, errorMessage(error));
      return new RunDataTooLargeError(nodeName, `the data of node "${nodeName}" cannot be stored: ${errorMessage(error)}`);
    }
    if (exceedsDepth(json, maxDataDepth)) return new RunDataTooDeepError(nodeName);
    const bytes = Buffer.byteLength(json);
    if (bytes > nodeRunMaxBytes) return tooLarge(`${bytes} bytes of output`, nodeRunMaxBytes, 'NODE_RUN_MAX_BYTES');
    if (this.#bytes + bytes > executionMaxBytes)
      return tooLarge('the data of the execution up to the output', executionMaxBytes, 'EXECUTION_MAX_BYTES');
    this.#bytes += bytes;
    return json;
  }

  /** Records the node run as failed, without its data, and ends the run. */
  #refuse({ nodeName, runIndex, run }: NodeRunRecord, error: RunDataError): never {
    const { data: _, contextAfter: __, ...rest } = run;
    const failed: NodeRun = {
      ...rest,
      executionStatus: 'error',
      error: { message: error.message, code: error.code, description: error.description, node: nodeName },
      truncated: true,
    };
    this.#hold({ nodeName, runIndex, run: failed }, this.#scrubber.scrubJson(JSON.stringify(failed)));
    this.#appendHeld();
    throw error;
  }

  #hold({ nodeName, runIndex, run }: NodeRunRecord, json: string): void {
    const { startTime, executionTime, executionStatus } = run;
    const { executionId, attempt } = this.#ref;
    const failed = executionStatus === 'error';
    this.#last = json;
    this.#held.push({ executionId, attempt, seq: this.#seq++, nodeName, runIndex, failed, startTime, executionTime, json });
    this.#heldLength += json.length;
    if (this.#held.length >= maxHeld.count || this.#heldLength > maxHeld.length) this.#appendHeld();
    else this.#holding ??= setTimeout(() => this.#appendHeld(), holdMs);
  }

  #takeHeld(): readonly NewNodeRun[] {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    const held = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    return held;
  }

  #appendHeld(): void {
    for (const row of this.#takeHeld()) this.#append(row);
  }

  #append(row: NewNodeRun): void {
    const appended = untilAvailable(() => this.#recorder.append(row), this.#signal).then(
      (ours) => {
        if (ours) this.#report.changed();
        else this.#failure ??= new ExecutionLostError(this.#ref);
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

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
