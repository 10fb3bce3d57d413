import type { GraphIndex, Item, NodeOutput, NodeRun, NodeRunSource, RunData } from '@sluice/domain';
import { isLarge, pairManyItems, toLargeOutput, toNodeOutput } from './node-output.ts';
import { FinishedRun, type ItemSource } from './run-state.ts';

/**
 * Links the successful runs of an earlier execution, so that items are traced through them as
 * through runs of this execution. Works in time slices.
 *
 * The data may come from a client; rejects with `InvalidNodeOutputError` for outputs that are not
 * items. If
 * a run has no valid sources, they are derived from the connections where only one choice exists.
 * Items without pairing are paired as after a fresh run of the node.
 */
export async function linkEarlierRuns(
  index: GraphIndex,
  runData: RunData,
  isWanted: (nodeName: string) => boolean,
): Promise<Map<string, FinishedRun[]>> {
  const runs = new Map<string, FinishedRun[]>();
  for (const [name, recorded] of Object.entries(runData).filter(([node]) => isWanted(node))) {
    const unlinked: FinishedRun[] = [];
    for (const [runIndex, run] of recorded.entries()) {
      unlinked.push(new FinishedRun(name, runIndex, { ...run, data: { main: await outputOf(name, run) } }, []));
    }
    runs.set(name, unlinked);
  }
  return new RunLinker(index, runs).link();
}

class RunLinker {
  readonly #index: GraphIndex;
  readonly #runs: ReadonlyMap<string, readonly FinishedRun[]>;
  /** Node → per output, the runs that produced items there, in order. */
  readonly #outputs = new Map<string, readonly ItemSource[][]>();

  constructor(index: GraphIndex, runs: ReadonlyMap<string, readonly FinishedRun[]>) {
    this.#index = index;
    this.#runs = runs;
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
      const recorded = finished.run.source.map((source) => this.#find(source));
      const sources = recorded.some(isKnown) ? recorded : derived().map((feed) => feed[finished.runIndex] ?? null);
      if (!sources.some(isKnown)) continue;
      finished.sources.push(...sources);
      if (finished.outputs.some(isUnpaired)) await pairManyItems(finished.outputs, finished.inputs(executesOnce));
    }
  }

  #find(source: NodeRunSource | null): ItemSource | null {
    const from = source && this.#runs.get(source.previousNode)?.[source.previousNodeRun ?? 0];
    return from && hasSucceeded(from) ? { from, output: source.previousNodeOutput ?? 0 } : null;
  }

  /**
   * Per input, one source for each run of the node. Only derived where a single connection
   * delivered items exactly as often as the node ran.
   */
  #feedsOf(name: string, runCount: number): (readonly ItemSource[])[] {
    const incoming = this.#index.incoming(name);
    const inputCount = Math.max(0, ...incoming.map(({ input }) => input + 1));
    return Array.from({ length: inputCount }, (_, input) => {
      const arrived = incoming
        .filter((connection) => connection.input === input)
        .map(({ node, output }) => this.#outputsOf(node)[output] ?? [])
        .filter(({ length }) => length > 0);
      const [only = []] = arrived;
      return arrived.length === 1 && only.length === runCount ? only : [];
    });
  }

  #outputsOf(name: string): readonly ItemSource[][] {
    const known = this.#outputs.get(name);
    if (known) return known;
    const sources: ItemSource[][] = [];
    for (const from of (this.#runs.get(name) ?? []).filter(hasSucceeded)) {
      from.outputs.forEach((items, output) => {
        sources[output] ??= [];
        if (items?.length) sources[output].push({ from, output });
      });
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
