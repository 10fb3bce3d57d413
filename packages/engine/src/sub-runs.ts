import { type JsonObject, type NodeRun, type NodeRunRecord, ownProperty, toErrorRecord } from '@sluice/domain';
import type { CapabilityType, TokenUsage } from '@sluice/node-sdk';
import type { AiUsage } from './ai-usage.ts';
import type { RunRecorder } from './ports.ts';
import { shownValue } from './shown-value.ts';

/** One call of a capability. */
export interface Use {
  /** The sub-node. */
  nodeName: string;
  type: CapabilityType;
  method: string;
  input: unknown;
  /** The node that makes the call, and the run of the node at which the chain of sub-nodes begins. */
  parent: { nodeName: string; runIndex: number };
  /** For records: the model of a capability that has one. */
  model: string | undefined;
  mayAct: boolean;
  signal: AbortSignal;
}

/** A use that has started. */
interface StartedUse {
  readonly use: Use;
  readonly runIndex: number;
  readonly startTime: number;
  readonly step: number;
}

interface SubRunsOptions {
  recorder: RunRecorder;
  now(): number;
  /** Recorded runs of the execution; new ones are numbered after them. */
  done: readonly NodeRunRecord[];
  usage: AiUsage;
}

/**
 * Records the uses of sub-nodes as node runs: input, output, duration, tokens, model, and error.
 * Uses may overlap. A use starts when all earlier runs are stored, if it may have external effects;
 * so the result of a tool is stored before the next call of the model. Counts for the limits of the
 * execution.
 */
export class SubRuns {
  readonly #options: SubRunsOptions;
  readonly #counts = new Map<string, number>();
  /** Sub-node → its last started run. */
  readonly #lastIndex = new Map<string, number>();
  readonly #steps = new Map<string, number>();
  #failure: { error: unknown } | undefined;

  constructor(options: SubRunsOptions) {
    this.#options = options;
    for (const { nodeName, runIndex } of options.done) {
      this.#counts.set(nodeName, Math.max(this.#counts.get(nodeName) ?? 0, runIndex + 1));
    }
  }

  /**
   * Throws the error of a record that could not be written: the execution must end, even if a node
   * caught it.
   */
  assertRecorded(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async call<T>(use: Use, work: () => Promise<T>): Promise<T> {
    const started = await this.#start(use);
    let output: T;
    try {
      output = await work();
    } catch (error) {
      use.signal.throwIfAborted();
      await this.#finish(started, { error });
      throw error;
    }
    await this.#finish(started, { output });
    return output;
  }

  /** As `call`, for a stream whose chunk of type `result` is the output. */
  async *stream<T>(use: Use, open: () => AsyncIterable<T>): AsyncGenerator<T> {
    const started = await this.#start(use);
    let end: { output: unknown } | { error: unknown } = { output: {} };
    try {
      for await (const chunk of open()) {
        const result = (chunk as { result?: unknown }).result;
        if (result !== undefined) end = { output: result };
        yield chunk;
      }
    } catch (error) {
      use.signal.throwIfAborted();
      end = { error };
      throw error;
    } finally {
      if (!use.signal.aborted) await this.#finish(started, end);
    }
  }

  async #start(use: Use): Promise<StartedUse> {
    use.signal.throwIfAborted();
    this.assertRecorded();
    if (use.type === 'ai_languageModel') this.#options.usage.start('model', use.nodeName);
    if (use.type === 'ai_tool') this.#options.usage.start('tool', use.nodeName);
    const runIndex = this.#counts.get(use.nodeName) ?? 0;
    this.#counts.set(use.nodeName, runIndex + 1);
    this.#lastIndex.set(use.nodeName, runIndex);
    const { nodeName, mayAct } = use;
    const step = this.#stepOf(use);
    const start = { nodeName, runIndex, mayAct, isSubRun: true };
    await this.#recorded(() => this.#options.recorder.nodeStarted?.(start));
    use.signal.throwIfAborted();
    return { use, runIndex, startTime: this.#options.now(), step };
  }

  /** 1-based order of the start within the run of the main node. */
  #stepOf({ parent }: Use): number {
    const key = String(parent.runIndex);
    const step = (this.#steps.get(key) ?? 0) + 1;
    this.#steps.set(key, step);
    return step;
  }

  async #finish(started: StartedUse, end: { output: unknown } | { error: unknown }): Promise<void> {
    const { use, runIndex } = started;
    const run = this.#runOf(started, end);
    await this.#recorded(() => this.#options.recorder.nodeFinished({ nodeName: use.nodeName, runIndex, run }));
  }

  #runOf({ use, startTime, step }: StartedUse, end: { output: unknown } | { error: unknown }): NodeRun {
    const { type, method, parent, model, nodeName } = use;
    const usage = 'output' in end ? usageOf(end.output) : undefined;
    const metadata: JsonObject = {
      use: method,
      step,
      ...(model !== undefined && { model }),
      ...(usage && { ...this.#options.usage.add(model, usage) }),
    };
    const previousNodeRun = this.#lastIndex.get(parent.nodeName) ?? parent.runIndex;
    return {
      startTime,
      executionTime: this.#options.now() - startTime,
      executionStatus: 'error' in end ? 'error' : 'success',
      source: [{ previousNode: parent.nodeName, ...(previousNodeRun !== 0 && { previousNodeRun }) }],
      inputOverride: { [type]: [[{ json: shownValue(use.input) }]] },
      ...('error' in end
        ? { error: { ...toErrorRecord(end.error), node: nodeName } }
        : { data: { [type]: [[{ json: shownValue(end.output) }]] } }),
      metadata,
    };
  }

  async #recorded(write: () => void | Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

function usageOf(output: unknown): TokenUsage | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  const usage = ownProperty(output as JsonObject, 'usage');
  return typeof usage === 'object' && usage !== null ? (usage as TokenUsage) : undefined;
}
