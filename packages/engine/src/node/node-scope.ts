import type { Item, JsonObject, JsonValue } from '@sluice/domain';
import type { EvaluationScope, NodeRunView } from '@sluice/sandbox';
import type { PreparedNode } from '../graph/prepared-graph.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { NodeInputs } from './node-inputs.ts';
import type { NodeTask } from './node-task.ts';
import { tracePairedItem } from './paired-item.ts';

/** The position of a scope in time. */
interface ScopeRun {
  readonly runIndex: number;
  /** Try of the run; 1-based. */
  readonly tryNumber: number;
  readonly nowMs: number;
}

/** Scope for the expressions and the code of one node run. All data is loaded lazily. */
export class NodeScope implements EvaluationScope {
  readonly run: ScopeRun;
  readonly #execution: ExecutionContext;
  readonly #task: NodeTask;
  readonly #inputs: NodeInputs;
  #customData: Record<string, string> | undefined;
  #names: EvaluationScope['names'];
  #parameters: JsonObject | undefined;
  #onlyItem: number | undefined;
  #ancestors: ReadonlySet<string> | undefined;

  constructor(execution: ExecutionContext, task: NodeTask, inputs: NodeInputs, run: ScopeRun) {
    this.#execution = execution;
    this.#task = task;
    this.#inputs = inputs;
    this.run = run;
  }

  /** Connections lead to this node; a sub-node has no main connections. */
  get #root(): PreparedNode {
    return this.#task.root ?? this.#task.node;
  }

  get runIndex(): number {
    return this.run.runIndex;
  }

  get nowMs(): number {
    return this.run.nowMs;
  }

  /** The scope of one item, with additional names and optionally other parameters. */
  forItem(itemIndex: number, names: EvaluationScope['names'], parameters?: JsonObject): NodeScope {
    const scope = new NodeScope(this.#execution, this.#task, this.#inputs, this.run);
    scope.#customData = this.#customData;
    scope.#names = names;
    scope.#parameters = parameters;
    scope.#onlyItem = itemIndex;
    return scope;
  }

  get names(): EvaluationScope['names'] {
    return this.#names;
  }

  get onlyItem(): number | undefined {
    return this.#onlyItem;
  }

  get items(): readonly Item[] {
    return this.#inputs.allItems(0);
  }

  get itemCount(): number {
    return this.#inputs.items(0).length;
  }

  get node(): EvaluationScope['node'] {
    const { shownNode } = this.#task.node;
    return this.#parameters ? { ...shownNode, parameters: this.#parameters } : shownNode;
  }

  get compiledParameters(): EvaluationScope['compiledParameters'] {
    return this.#parameters ? undefined : this.#task.node.compiled;
  }

  get previousNode(): EvaluationScope['previousNode'] {
    const source = this.#task.sources[0];
    return source ? { name: source.from.nodeName, outputIndex: source.output, runIndex: source.from.runIndex } : undefined;
  }

  get workflow(): EvaluationScope['workflow'] {
    return this.#execution.workflow;
  }

  get execution(): EvaluationScope['execution'] {
    const customData = this.#customData
      ? { ...this.#execution.state.customData, ...this.#customData }
      : this.#execution.state.customData;
    return customData ? { ...this.#execution.info, customData } : this.#execution.info;
  }

  /** Custom data of the execution that this node run set; `undefined` if it set none. */
  get customData(): Record<string, string> | undefined {
    return this.#customData;
  }

  addCustomData(set: Readonly<Record<string, string>> | undefined): void {
    if (set) this.#customData = { ...this.#customData, ...set };
  }

  get vars(): Readonly<Record<string, JsonValue>> {
    return this.#execution.request.vars;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#execution.request.env;
  }

  runsOf(nodeName: string): readonly NodeRunView[] | undefined {
    return this.#execution.graph.nodes.has(nodeName) ? this.#execution.state.runsOf(nodeName) : undefined;
  }

  /**
   * The output from which this node's items come, or else the output that leads here; 0 without a
   * path.
   */
  outputOf(nodeName: string): number {
    const { previousNode } = this;
    if (previousNode?.name === nodeName) return previousNode.outputIndex;
    return this.#root.outputOf(nodeName, this.#execution.graph.index);
  }

  parametersOf(nodeName: string): JsonObject | undefined {
    return this.#execution.graph.nodes.get(nodeName)?.shownParameters;
  }

  compiledParametersOf(nodeName: string): EvaluationScope['compiledParameters'] {
    return this.#execution.graph.nodes.get(nodeName)?.compiled;
  }

  contextOf(nodeName: string): JsonObject | undefined {
    return this.#execution.state.shownContextOf(nodeName);
  }

  pairedItem(nodeName: string, itemIndex: number): { item: Item | undefined } | { error: string } {
    const { graph, state } = this.#execution;
    if (!graph.nodes.has(nodeName)) return { error: `node "${nodeName}" does not exist` };
    if (state.runsOf(nodeName).length === 0) return { error: `node "${nodeName}" has not run` };
    const traced = { source: this.#task.sources[0], index: itemIndex, isAncestor: (name: string) => this.#isAncestor(name) };
    return tracePairedItem(nodeName, traced, state, graph.index);
  }

  #isAncestor(nodeName: string): boolean {
    this.#ancestors ??= this.#execution.graph.index.ancestorsOf([this.#root.name]);
    return this.#ancestors.has(nodeName);
  }
}
