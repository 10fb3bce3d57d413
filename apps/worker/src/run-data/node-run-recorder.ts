import type { AttemptRef, ExecutionRecorder, NewNodeRun } from '@sluice/db';
import { dataSize, itemCount, type MemoryReservation, type NodeRun, type NodeRunRecord, stringifyJson } from '@sluice/domain';
import type { NodeStart, RunRecorder } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';
import { type LateClaim, maxUnclaimedMs } from '../claims/late-claim.ts';
import type { ExecutionReport } from '../client-messages/progress-reporter.ts';
import { NodeRunBatches } from './node-run-batches.ts';
import { NodeRunJson, type RunDataLimits } from './node-run-json.ts';
import { RunDataError } from './run-data-errors.ts';
import type { WritePace } from './write-pace.ts';

export interface NodeRunRecorderOptions {
  ref: AttemptRef;
  claim: Pick<LateClaim, 'ensure' | 'isOwned'>;
  limits: RunDataLimits;
  /** Stored node runs of the execution: their number and bytes of JSON. */
  stored: { count: number; bytes: number };
  /** Ends the wait for an unreachable database. */
  signal: AbortSignal;
  /** Contains the secrets that the execution has used so far. */
  scrubber: SecretScrubber;
  report: ExecutionReport;
  pace: Pick<WritePace, 'deferMs'>;
  memory: Pick<MemoryReservation, 'startNode' | 'retain'>;
  /** Throws if the project is over its storage quota; default: never. */
  assertCapacity?: () => void;
}

/**
 * The engine's recorder for one execution: serializes each node run once, removes used secrets,
 * checks the limits, and appends it in the background. The engine waits only
 *  - before a node with possible side effects, until all earlier runs are stored: a retry then acts
 *    on the same data;
 *  - after such a node, until its run is stored: a retry does not run it again;
 *  - if too many node runs wait;
 *  - before a node, until there is memory for its output.
 */
export class NodeRunRecorder implements RunRecorder {
  readonly #options: NodeRunRecorderOptions;
  readonly #json: NodeRunJson;
  readonly #batches: NodeRunBatches;
  /** Whether the current or last node, or a sub-node that it used, may have had side effects. */
  #mayAct = false;
  /** The node in progress, or the last one. */
  #current: NodeStart | undefined;
  #isRepeatable = true;
  #seq: number;
  #last: string | undefined;

  constructor(recorder: Pick<ExecutionRecorder, 'append'>, options: NodeRunRecorderOptions) {
    const { ref, claim, limits, stored, signal, scrubber, report, pace, assertCapacity } = options;
    this.#options = options;
    this.#seq = stored.count;
    this.#json = new NodeRunJson({ limits, bytes: stored.bytes, scrubber, assertCapacity });
    this.#batches = new NodeRunBatches({
      recorder,
      ref,
      claim,
      signal,
      // To append them would require a claim, which the end may make unnecessary.
      deferMs: () => (claim.isOwned || report.isWatched ? pace.deferMs(report) : maxUnclaimedMs),
      onStored: () => report.changed(),
    });
  }

  /** JSON of the last ended node run; `undefined` before the first one. */
  get last(): string | undefined {
    return this.#last;
  }

  /**
   * Whether the current node may run again, once everything is stored: no node is in progress that
   * may have had side effects, and none has failed.
   */
  get isRepeatable(): boolean {
    return this.#isRepeatable;
  }

  nodeStarted(start: NodeStart): void | Promise<void> {
    const memoryFree = start.isSubRun ? undefined : this.#options.memory.startNode();
    return memoryFree ? memoryFree.then(() => this.#nodeStarted(start)) : this.#nodeStarted(start);
  }

  #nodeStarted(start: NodeStart): void | Promise<void> {
    const { nodeName, runIndex, mayAct, isSubRun = false } = start;
    if (!isSubRun) this.#current = start;
    const needsAllStored = mayAct || (this.#mayAct && !isSubRun);
    this.#mayAct = mayAct || (this.#mayAct && isSubRun);
    const { report, signal } = this.#options;
    const started = () => {
      if (mayAct) this.#isRepeatable = false;
      report.nodeStarted({ nodeName, runIndex, seq: this.#seq, startTime: Date.now() });
    };
    if (!needsAllStored || this.#batches.isStored) return started();
    return this.flush().then(() => {
      if (!signal.aborted) started();
    });
  }

  nodeFinished(record: NodeRunRecord): void | Promise<void> {
    this.#options.report.nodeFinished(record);
    this.#batches.assertStorable();
    const json = this.#json.of(record);
    return json instanceof Promise ? json.then((written) => this.#keep(record, written)) : this.#keep(record, json);
  }

  /** Resolves when every node run is stored; throws the error that prevented it. */
  flush(): Promise<void> {
    return this.#batches.flush();
  }

  /**
   * Resolves to the node runs to store with the execution's end, once all others are stored; throws
   * the error that prevented it.
   */
  rest(): Promise<readonly NewNodeRun[]> {
    return this.#batches.rest();
  }

  #keep(record: NodeRunRecord, json: string | RunDataError): void | Promise<void> {
    if (json instanceof RunDataError) return this.#refuse(record, json);
    this.#options.memory.retain(dataSize(json.length, itemCount(record.run)));
    this.#add(record, json);
    if (this.#isCurrent(record)) this.#isRepeatable = record.run.executionStatus === 'success';
    if (this.#batches.isBehind) return this.#batches.batchStored();
  }

  #isCurrent({ nodeName, runIndex }: NodeRunRecord): boolean {
    return this.#current?.nodeName === nodeName && this.#current.runIndex === runIndex;
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
    const json = await this.#options.scrubber.scrubJson(await stringifyJson(failed));
    this.#add({ nodeName, runIndex, run: failed }, json);
    throw error;
  }

  #add({ nodeName, runIndex, run }: NodeRunRecord, json: string): void {
    const { startTime, executionTime, executionStatus } = run;
    const { executionId, attempt } = this.#options.ref;
    const failed = executionStatus === 'error';
    this.#last = json;
    this.#batches.add(
      { executionId, attempt, seq: this.#seq++, nodeName, runIndex, failed, startTime, executionTime, json },
      { mayAct: this.#mayAct },
    );
  }
}
