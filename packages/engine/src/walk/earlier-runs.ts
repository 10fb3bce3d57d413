import {
  type GraphIndex,
  type Item,
  type NodeOutput,
  type NodeRun,
  type NodeRunSource,
  type RunData,
  TimeSlice,
} from '@sluice/domain';
import { isLarge, pairManyItems, toLargeOutput, toNodeOutput } from '../node/node-output.ts';
import { FinishedRun, type ItemSource } from '../node/run-state.ts';

/** The successful runs of an earlier execution, by node. */
export type EarlierRuns = ReadonlyMap<string, readonly FinishedRun[]>;

/** Maximum number of sources derived from connections: a client may send a hundred million. */
const maxDerivedSources = 1_000_000;

/**
 * Links the successful runs of an earlier execution, so that items are traced through them as
 * through runs of this execution. Works in time slices.
 *
 * The data may come from a client; rejects with `InvalidNodeOutputError` for outputs that are not
 * items. If a run has no valid sources, they are derived from the connections where only one choice
 * exists, up to a million of them. Items without pairing are paired as after a fresh run
 * of the node.
 */
export async function linkEarlierRuns(
  index: GraphIndex,
  runData: RunData,
  isWanted: (nodeName: string) => boolean,
): Promise<Map<string, FinishedRun[]>> {
  const runs = new Map<string, FinishedRun[]>();
  const slice = new TimeSlice();
  for (const [name, recorded] of Object.entries(runData).filter(([node]) => isWanted(node))) {
    const unlinked: FinishedRun[] = [];
    for (const [runIndex, run] of recorded.entries()) {
      if (slice.isOver) await slice.next();
      unlinked.push(new FinishedRun(name, runIndex, { ...run, data: { main: await outputOf(name, run) } }, []));
    }
    runs.set(name, unlinked);
  }
  return new RunLinker(index, runs, slice).link();
}

/** Returns a function that finds an earlier run by its index; failed runs are excluded. */
export function indexedRuns(earlier: EarlierRuns): (nodeName: string, runIndex: number) => FinishedRun | undefined {
  const byNode = new Map<string, ReadonlyMap<number, FinishedRun>>();
  return (nodeName, runIndex) => {
    const runs = byNode.get(nodeName) ?? new Map((earlier.get(nodeName) ?? []).map((run) => [run.runIndex, run]));
    byNode.set(nodeName, runs);
    return runs.get(runIndex);
  };
}

/**
 * Returns a function that finds the last earlier run of a node with items at an output: the run on
 * which the next nodes build.
 */
export function lastRuns(earlier: EarlierRuns): (nodeName: string, output: number) => FinishedRun | undefined {
  const byNode = new Map<string, Map<number, FinishedRun>>();
  return (nodeName, output) => {
    const runs = byNode.get(nodeName) ?? lastByOutput(earlier.get(nodeName) ?? []);
    byNode.set(nodeName, runs);
    return runs.get(output);
  };
}

function lastByOutput(runs: readonly FinishedRun[]): Map<number, FinishedRun> {
  const last = new Map<number, FinishedRun>();
  for (const run of runs) {
    for (const [output, items] of run.outputs.entries()) if (items?.length) last.set(output, run);
  }
  return last;
}

class RunLinker {
  readonly #index: GraphIndex;
  readonly #runs: ReadonlyMap<string, readonly FinishedRun[]>;
  /** Node → per output, the runs that produced items there, in order. */
  readonly #outputs = new Map<string, ReadonlyMap<number, readonly ItemSource[]>>();
  readonly #slice: TimeSlice;
  #derived = 0;

  constructor(index: GraphIndex, runs: ReadonlyMap<string, readonly FinishedRun[]>, slice: TimeSlice) {
    this.#index = index;
    this.#runs = runs;
    this.#slice = slice;
  }

  async link(): Promise<Map<string, FinishedRun[]>> {
    for (const [name, runs] of this.#runs) await this.#linkRunsOf(name, runs);
    return new Map([...this.#runs].map(([name, runs]) => [name, runs.filter(hasSucceeded)]));
  }

  async #linkRunsOf(name: string, runs: readonly FinishedRun[]): Promise<void> {
    let feeds: (readonly ItemSource[])[] | undefined;
    const derived = () => {
      feeds ??= this.#feedsOf(name, runs.length);
      return feeds;
    };
    const executesOnce = this.#index.nodes.get(name)?.executeOnce === true;
    for (const finished of runs) {
      if (this.#slice.isOver) await this.#slice.next();
      const recorded = finished.run.source.map((source) => this.#find(source));
      const sources = recorded.some(isKnown) ? recorded : derived().map((feed) => feed[finished.runIndex] ?? null);
      if (!sources.some(isKnown)) continue;
      // A client may send more sources than `push` takes as arguments.
      for (const source of sources) finished.sources.push(source);
      if (finished.outputs.some(isUnpaired)) await pairManyItems(finished.outputs, finished.inputs(executesOnce));
    }
  }

  #find(source: NodeRunSource | null): ItemSource | null {
    const from = source && this.#runs.get(source.previousNode)?.[source.previousNodeRun ?? 0];
    return from && hasSucceeded(from) ? { from, output: source.previousNodeOutput ?? 0 } : null;
  }

  /**
   * Per input, one source for each run of the node. Derived only if a single connection delivered
   * items exactly as often as the node ran, and within `maxDerivedSources`.
   */
  #feedsOf(name: string, runCount: number): (readonly ItemSource[])[] {
    const byInput = Map.groupBy(this.#index.incoming(name), ({ input }) => input);
    const inputCount = Math.max(0, ...[...byInput.keys()].map((input) => input + 1));
    this.#derived += inputCount * runCount;
    if (this.#derived > maxDerivedSources) return [];
    return Array.from({ length: inputCount }, (_, input) => {
      const arrived = (byInput.get(input) ?? [])
        .map(({ node, output }) => this.#outputsOf(node).get(output) ?? [])
        .filter(({ length }) => length > 0);
      const [only = []] = arrived;
      return arrived.length === 1 && only.length === runCount ? only : [];
    });
  }

  #outputsOf(name: string): ReadonlyMap<number, readonly ItemSource[]> {
    const cached = this.#outputs.get(name);
    if (cached) return cached;
    const sources = new Map<number, ItemSource[]>();
    for (const from of (this.#runs.get(name) ?? []).filter(hasSucceeded)) {
      for (const [output, items] of from.outputs.entries()) {
        if (!items?.length) continue;
        const list = sources.get(output) ?? [];
        list.push({ from, output });
        sources.set(output, list);
      }
    }
    this.#outputs.set(name, sources);
    return sources;
  }
}

function outputOf(name: string, { data }: NodeRun): NodeOutput | Promise<NodeOutput> {
  const main = data?.['main'] ?? [];
  return isLarge(main) ? toLargeOutput(main, name) : toNodeOutput(main, name);
}

function isKnown(source: ItemSource | null): boolean {
  return source !== null;
}

function hasSucceeded({ run }: FinishedRun): boolean {
  return run.executionStatus === 'success';
}

function isUnpaired(items: readonly Item[] | null): boolean {
  return items?.some(({ pairedItem }) => pairedItem === undefined) ?? false;
}
