import type { Item, JsonObject, JsonValue, NodeOutput, NodeRun, NodeRunSource } from '@sluice/domain';
import type { NodeRunView } from '@sluice/sandbox';
import { NodeInputs } from './node-inputs.ts';

/**
 * The origin of an input's items: an output of a finished run. Item `i` of the input is item `i` of
 * that output.
 */
export interface ItemSource {
  from: FinishedRun;
  output: number;
}

/** A finished node run, linked to the runs that produced its items. */
export class FinishedRun implements NodeRunView {
  readonly nodeName: string;
  readonly runIndex: number;
  readonly run: NodeRun;
  /** Per input. */
  readonly sources: (ItemSource | null)[];
  #inputs: NodeInputs | undefined;

  constructor(nodeName: string, runIndex: number, run: NodeRun, sources: (ItemSource | null)[]) {
    this.nodeName = nodeName;
    this.runIndex = runIndex;
    this.run = run;
    this.sources = sources;
  }

  get outputs(): NodeOutput {
    return this.run.data?.['main'] ?? [];
  }

  /** The inputs of this run, as its node saw them. */
  inputs(executeOnce: boolean): NodeInputs {
    this.#inputs ??= new NodeInputs(
      this.sources.length === 0 ? [[{ json: {} }]] : this.sources.map((source) => source && itemsFrom(source)),
      executeOnce,
    );
    return this.#inputs;
  }
}

function itemsFrom({ from, output }: ItemSource): readonly Item[] | null {
  return from.outputs[output] ?? null;
}

/**
 * The node runs of one execution so far, and the runs of an earlier execution on which it builds.
 * Append-only.
 */
export class RunState {
  readonly #runs = new Map<string, FinishedRun[]>();
  readonly #contexts = new Map<string, JsonObject>();
  readonly #staticData = new Map<string, JsonValue>();
  #customData: Readonly<Record<string, string>> | undefined;
  readonly #earlier: ReadonlyMap<string, readonly FinishedRun[]>;

  constructor(earlier: ReadonlyMap<string, readonly FinishedRun[]> = new Map()) {
    this.#earlier = earlier;
  }

  add(finished: FinishedRun): void {
    const runs = this.#runs.get(finished.nodeName);
    if (runs) runs.push(finished);
    else this.#runs.set(finished.nodeName, [finished]);
    const { contextAfter, customData, staticData = {} } = finished.run;
    if (contextAfter) this.#contexts.set(finished.nodeName, contextAfter);
    if (customData) this.#customData = { ...this.#customData, ...customData };
    for (const [key, part] of Object.entries(staticData)) this.#staticData.set(key, part);
  }

  /** Number of runs of a node within this execution. */
  countOf(nodeName: string): number {
    return this.#runs.get(nodeName)?.length ?? 0;
  }

  /** A run of a node within this execution. */
  find(nodeName: string, runIndex: number): FinishedRun | undefined {
    return this.#runs.get(nodeName)?.[runIndex];
  }

  /**
   * Context data that earlier runs of a node kept in this execution; its next run starts with it.
   */
  contextOf(nodeName: string): JsonObject | undefined {
    return this.#contexts.get(nodeName);
  }

  /**
   * Context data visible to other nodes: from the earlier execution until the node runs in this
   * execution.
   */
  shownContextOf(nodeName: string): JsonObject | undefined {
    if (this.#runs.has(nodeName)) return this.#contexts.get(nodeName);
    return this.#earlier.get(nodeName)?.findLast(({ run }) => run.contextAfter)?.run.contextAfter;
  }

  /** Custom data of the execution, as set by node runs; `undefined` if none was set. */
  get customData(): Readonly<Record<string, string>> | undefined {
    return this.#customData;
  }

  /** The parts of the workflow's static data that node runs changed, by key. */
  get staticData(): ReadonlyMap<string, JsonValue> {
    return this.#staticData;
  }

  /** Runs of a node; runs of the earlier execution until the node runs in this execution. */
  runsOf(nodeName: string): readonly FinishedRun[] {
    return this.#runs.get(nodeName) ?? this.#earlier.get(nodeName) ?? [];
  }
}

/** Sources as recorded: zeros, the defaults, are omitted. */
export function toRunSources(sources: readonly (ItemSource | null)[]): NodeRun['source'] {
  return sources.map((source) => {
    if (source === null) return null;
    const recorded: NodeRunSource = { previousNode: source.from.nodeName };
    if (source.output !== 0) recorded.previousNodeOutput = source.output;
    if (source.from.runIndex !== 0) recorded.previousNodeRun = source.from.runIndex;
    return recorded;
  });
}
