import type { Item, JsonObject, JsonValue, NodeOutput, NodeRun, NodeRunSource } from '@sluice/domain';
import type { NodeRunView } from '@sluice/sandbox';
import { NodeInputs } from './node-inputs.ts';

/** Where the items of an input came from: an output of a finished run. Item `i` of the input is item `i` of that output. */
export interface ItemSource {
  from: FinishedRun;
  output: number;
}

/** A node run that has ended, linked to those it got its items from. */
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

  /** What arrived in this run, as its node saw it. */
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

/** The node runs of one execution so far, and those of an earlier one that it builds on. Grows only. */
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

  /** Runs of a node within this execution. */
  countOf(nodeName: string): number {
    return this.#runs.get(nodeName)?.length ?? 0;
  }

  /** A run of a node within this execution. */
  find(nodeName: string, runIndex: number): FinishedRun | undefined {
    return this.#runs.get(nodeName)?.[runIndex];
  }

  /** What the runs of a node within this execution have kept: with what its next run goes on. */
  contextOf(nodeName: string): JsonObject | undefined {
    return this.#contexts.get(nodeName);
  }

  /** The same for who looks at the node: what it kept in the earlier execution, as long as it has not run in this one. */
  shownContextOf(nodeName: string): JsonObject | undefined {
    if (this.#runs.has(nodeName)) return this.#contexts.get(nodeName);
    return this.#earlier.get(nodeName)?.findLast(({ run }) => run.contextAfter)?.run.contextAfter;
  }

  /** What node runs have set of the execution's custom data; `undefined`: nothing. */
  get customData(): Readonly<Record<string, string>> | undefined {
    return this.#customData;
  }

  /** The parts of the workflow's static data that node runs have changed, by their keys. */
  get staticData(): ReadonlyMap<string, JsonValue> {
    return this.#staticData;
  }

  /** Runs of a node; those of the earlier execution as long as it has not run in this one. */
  runsOf(nodeName: string): readonly FinishedRun[] {
    return this.#runs.get(nodeName) ?? this.#earlier.get(nodeName) ?? [];
  }
}

/** Sources as they are recorded: zeros, the defaults, left out. */
export function toRunSources(sources: readonly (ItemSource | null)[]): NodeRun['source'] {
  return sources.map((source) => {
    if (source === null) return null;
    const recorded: NodeRunSource = { previousNode: source.from.nodeName };
    if (source.output !== 0) recorded.previousNodeOutput = source.output;
    if (source.from.runIndex !== 0) recorded.previousNodeRun = source.from.runIndex;
    return recorded;
  });
}
