import { type AttemptRef, type ExecutionRecorder, type NewNodeRun, StorageQuotaError } from '@sluice/db';
import {
  AppError,
  type ErrorCode,
  errorMessage,
  exceedsDepth,
  maxDataDepth,
  type NodeRun,
  type NodeRunRecord,
  stringifyJson,
} from '@sluice/domain';
import type { NodeStart, RunRecorder } from '@sluice/engine';
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
  /** Stored node runs of the execution: their number and bytes of JSON. */
  stored: { count: number; bytes: number };
  /** Ends the wait for an unreachable database. */
  signal: AbortSignal;
  /** Has the secrets that the execution has used so far. */
  scrubber: SecretScrubber;
  report: ExecutionReport;
  /** Throws if the project is over its storage quota; default: never. */
  assertRoom?: () => void;
}

/** Maximum node runs waiting for the database before the engine pauses. */
const maxPending = 32;

/**
 * Milliseconds for which runs of nodes without side effects are held back: an execution that ends
 * by then stores them with its end.
 */
const holdMs = 5;
/** Maximum number of held back runs, and of their characters of JSON. */
const maxHeld = { count: 8, length: 64 * 1024 };
/** Maximum characters of JSON per statement; a larger node run is sent alone. */
const maxBatchLength = 4 * 1024 * 1024;

/**
 * The guard of a write failed: the execution is no longer this worker's. Nothing more may be
 * written for it.
 */
export class ExecutionLostError extends AppError {
  constructor({ executionId }: Pick<AttemptRef, 'executionId'>) {
    super({ code: 'EXECUTION_LOST', message: `execution ${executionId} is no longer this worker's` });
  }
}

/** The output of a node cannot be stored. */
abstract class RunDataError extends AppError {
  readonly nodeName: string;
  /** How the author can fix it. */
  readonly description: string;

  constructor(nodeName: string, { code, message, hint }: { code: ErrorCode; message: string; hint: string }) {
    super({ code, message });
    this.nodeName = nodeName;
    this.description = hint;
  }
}

/** The output of a node exceeds a limit (Contract 4.11). */
class RunDataTooLargeError extends RunDataError {
  constructor(nodeName: string, message: string, hint = 'Reduce the output of the node.') {
    super(nodeName, { code: 'RUN_DATA_TOO_LARGE', message, hint });
  }
}

/** The project is over its storage quota. */
class NoRoomError extends RunDataError {
  constructor(nodeName: string, { message }: StorageQuotaError) {
    const hint = 'Delete executions of the project, or raise STORAGE_MAX_BYTES_PER_PROJECT.';
    super(nodeName, {
      code: 'STORAGE_QUOTA_EXCEEDED',
      message: `data of node "${nodeName}" cannot be stored: ${message}`,
      hint,
    });
  }
}

/**
 * The output of a node is not valid JSON: for example, a BigInt, or an object that contains itself.
 */
class RunDataNotJsonError extends RunDataError {
  constructor(nodeName: string, reason: string) {
    const message = `output of node "${nodeName}" is not valid: ${reason}`;
    super(nodeName, { code: 'INVALID_NODE_OUTPUT', message, hint: 'Return plain JSON data from the node.' });
  }
}

/** The output of a node is nested too deeply for its readers. */
class RunDataTooDeepError extends RunDataError {
  constructor(nodeName: string) {
    const message = `the data of node "${nodeName}" is nested deeper than ${maxDataDepth} levels`;
    super(nodeName, { code: 'RUN_DATA_TOO_DEEP', message, hint: 'Return less deeply nested data from the node.' });
  }
}

/**
 * The engine's recorder for one execution: serializes each node run once, removes used secrets,
 * checks the limits, and appends it.
 *
 * Stored node runs are always a prefix of the recorded ones: one statement is in flight at a time,
 * and the next continues where it ended. Statements are sent in the background, and the engine
 * waits only
 *  - before a node with possible side effects, until all earlier runs are stored: a retry then acts
 *    on the same data;
 *  - after such a node, until its run is stored: a retry does not run it again;
 *  - if too many node runs wait.
 *
 * Runs of nodes without side effects are held back for a moment, because most executions are short:
 * the statement that ends one stores the rest.
 */
export class RunLog implements RunRecorder {
  readonly #recorder: Pick<ExecutionRecorder, 'append'>;
  readonly #ref: AttemptRef;
  readonly #limits: RunDataLimits;
  readonly #signal: AbortSignal;
  readonly #scrubber: SecretScrubber;
  readonly #report: ExecutionReport;
  /** In order, without those in `#underWay`. */
  #gathered: NewNodeRun[] = [];
  #gatheredLength = 0;
  /** Ends the time for which they are held back. */
  #holding: Disposable | undefined;
  /** Whether they are sent as soon as nothing is in flight. */
  #isDue = false;
  #storing: Promise<void> | undefined;
  #underWay = 0;
  /** Whether the current or last node may have had side effects. */
  #mayAct = false;
  #failure: unknown;
  #bytes: number;
  #seq: number;
  #last: string | undefined;
  readonly #assertRoom: RunLogOptions['assertRoom'];

  constructor(
    recorder: Pick<ExecutionRecorder, 'append'>,
    { ref, limits, stored, signal, scrubber, report, assertRoom }: RunLogOptions,
  ) {
    this.#recorder = recorder;
    this.#ref = ref;
    this.#limits = limits;
    this.#seq = stored.count;
    this.#bytes = stored.bytes;
    this.#signal = signal;
    this.#scrubber = scrubber;
    this.#report = report;
    this.#assertRoom = assertRoom;
  }

  /** JSON of the last ended node run; `undefined` before the first one. */
  get last(): string | undefined {
    return this.#last;
  }

  nodeStarted({ nodeName, runIndex, mayAct }: NodeStart): void | Promise<void> {
    const needsAllStored = mayAct || this.#mayAct;
    this.#mayAct = mayAct;
    const report = () => this.#report.nodeStarted({ nodeName, runIndex, seq: this.#seq, startTime: Date.now() });
    if (!needsAllStored || this.#isStored()) return report();
    return this.flush().then(() => {
      if (!this.#signal.aborted) report();
    });
  }

  nodeFinished(record: NodeRunRecord): void | Promise<void> {
    this.#report.nodeFinished();
    if (this.#failure !== undefined) throw this.#failure;
    const json = this.#toJson(record);
    return json instanceof Promise ? json.then((written) => this.#keep(record, written)) : this.#keep(record, json);
  }

  #keep(record: NodeRunRecord, written: string | RunDataError): void | Promise<void> {
    const json = written instanceof RunDataError ? written : this.#counted(record, written);
    if (json instanceof RunDataError) return this.#refuse(record, json);
    this.#gather(record, json);
    if (this.#gathered.length + this.#underWay >= maxPending) return this.#oneStored();
  }

  #isStored(): boolean {
    return this.#gathered.length === 0 && !this.#storing && this.#failure === undefined;
  }

  /** Resolves when every node run is stored; throws the error that prevented it. */
  async flush(): Promise<void> {
    while (this.#failure === undefined && this.#gathered.length > 0) {
      this.#store();
      await this.#storing;
    }
    await this.#storing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Resolves, when all others are stored, to the node runs to store with the end of the execution;
   * throws the error that prevented it.
   */
  async rest(): Promise<readonly NewNodeRun[]> {
    if (this.#isMuch()) await this.flush();
    this.#endHolding();
    await this.#storing;
    if (this.#failure !== undefined) throw this.#failure;
    return this.#take(this.#gathered.length);
  }

  /** A large node run is serialized and scrubbed in time slices. */
  #toJson({ nodeName, run }: NodeRunRecord): string | RunDataError | Promise<string | RunDataError> {
    try {
      const json = stringifyJson(run);
      const scrubbed =
        json instanceof Promise ? json.then((text) => this.#scrubbed(nodeName, text)) : this.#scrubbed(nodeName, json);
      return scrubbed instanceof Promise ? scrubbed.catch((error: unknown) => notWritten(nodeName, error)) : scrubbed;
    } catch (error) {
      return notWritten(nodeName, error);
    }
  }

  #scrubbed(nodeName: string, text: string): string | RunDataError | Promise<string> {
    // A text above the limit is refused without scrubbing; it has at least as many bytes as
    // characters.
    if (text.length > this.#limits.nodeRunMaxBytes) return this.#overNodeRunCap(nodeName, text);
    if (exceedsDepth(text, maxDataDepth)) return new RunDataTooDeepError(nodeName);
    return this.#scrubber.scrubJson(text);
  }

  #overNodeRunCap(nodeName: string, json: string): RunDataError {
    const what = `${Buffer.byteLength(json)} bytes of output`;
    return tooLarge(nodeName, { what, max: this.#limits.nodeRunMaxBytes, setting: 'NODE_RUN_MAX_BYTES' });
  }

  /** The JSON, added to the stored bytes of the execution. */
  #counted({ nodeName }: NodeRunRecord, json: string): string | RunDataError {
    const { nodeRunMaxBytes, executionMaxBytes: max } = this.#limits;
    const bytes = Buffer.byteLength(json);
    if (bytes > nodeRunMaxBytes) return this.#overNodeRunCap(nodeName, json);
    if (this.#bytes + bytes > max) {
      const what = 'the data of the execution up to the output';
      return tooLarge(nodeName, { what, max, setting: 'EXECUTION_MAX_BYTES' });
    }
    try {
      this.#assertRoom?.();
    } catch (error) {
      if (error instanceof StorageQuotaError) return new NoRoomError(nodeName, error);
      throw error;
    }
    this.#bytes += bytes;
    return json;
  }

  /** Records the node run as failed, without its data, and ends the run. */
  async #refuse({ nodeName, runIndex, run }: NodeRunRecord, error: RunDataError): Promise<never> {
    const { data: _, contextAfter: __, ...rest } = run;
    const failed: NodeRun = {
      ...rest,
      executionStatus: 'error',
      error: { message: error.message, code: error.code, description: error.description, node: nodeName },
      truncated: true,
    };
    this.#gather({ nodeName, runIndex, run: failed }, await this.#scrubber.scrubJson(await stringifyJson(failed)));
    throw error;
  }

  #gather({ nodeName, runIndex, run }: NodeRunRecord, json: string): void {
    const { startTime, executionTime, executionStatus } = run;
    const { executionId, attempt } = this.#ref;
    const failed = executionStatus === 'error';
    this.#last = json;
    this.#gathered.push({ executionId, attempt, seq: this.#seq++, nodeName, runIndex, failed, startTime, executionTime, json });
    this.#gatheredLength += json.length;
    if (this.#isMuch()) this.#store();
    else if (!this.#isDue) this.#holding ??= this.#hold();
  }

  #isMuch(): boolean {
    return this.#gathered.length >= maxHeld.count || this.#gatheredLength > maxHeld.length;
  }

  /**
   * Runs with possible side effects are held back only until the engine ends or reaches the next
   * node.
   */
  #hold(): Disposable {
    return this.#mayAct ? setImmediate(() => this.#store()) : setTimeout(() => this.#store(), holdMs);
  }

  #endHolding(): void {
    this.#holding?.[Symbol.dispose]();
    this.#holding = undefined;
    this.#isDue = false;
  }

  /** Sends the gathered runs, or lets them follow the statement in flight. */
  #store(): void {
    this.#endHolding();
    if (this.#failure !== undefined || this.#gathered.length === 0) return;
    if (!this.#storing) this.#storing = this.#append(this.#take(this.#batchSize())).then(() => this.#stored());
    this.#isDue = this.#gathered.length > 0;
  }

  #stored(): void {
    this.#storing = undefined;
    this.#underWay = 0;
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
    const taken = this.#gathered.splice(0, count);
    for (const { json } of taken) this.#gatheredLength -= json.length;
    return taken;
  }

  async #append(batch: readonly NewNodeRun[]): Promise<void> {
    this.#underWay = batch.length;
    try {
      const ours = await untilAvailable(() => this.#recorder.append(batch), this.#signal);
      if (ours) this.#report.changed();
      else this.#failure = new ExecutionLostError(this.#ref);
    } catch (error) {
      this.#failure = error;
    }
  }

  async #oneStored(): Promise<void> {
    await this.#storing;
    if (this.#failure !== undefined) throw this.#failure;
  }
}

function tooLarge(
  nodeName: string,
  { what, max, setting }: { what: string; max: number; setting: string },
): RunDataTooLargeError {
  const hint = `Reduce the output of the node, or process fewer items at a time; the setting ${setting} is the limit.`;
  return new RunDataTooLargeError(nodeName, `${what} of node "${nodeName}" exceed the limit of ${max} bytes`, hint);
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function notWritten(nodeName: string, error: unknown): RunDataError {
  if (isStackOverflow(error)) return new RunDataTooDeepError(nodeName);
  if (!(error instanceof RangeError)) return new RunDataNotJsonError(nodeName, errorMessage(error));
  return new RunDataTooLargeError(nodeName, `the data of node "${nodeName}" cannot be stored: ${errorMessage(error)}`);
}
