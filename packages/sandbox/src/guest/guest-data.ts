import type { ExpressionRequest, GuestItem, GuestNode, GuestScope, NodeNeed } from '../protocol.ts';
import { CustomData } from './custom-data.ts';
import { ExpressionFailure } from './failures.ts';
import { copyOf } from './json.ts';
import { notExecuted, unknownNode } from './messages.ts';
import { need } from './needs.ts';

type ShowParameters = (written: object, leaves: ExpressionRequest['parameters']) => object;

/**
 * The data that the host sent for the call. Missing data is requested when it is read. It is empty
 * in snapshots, because the language's functions refer to it.
 */
export class GuestData {
  scope!: GuestScope;
  customData!: CustomData;
  /** Whether reads return copies, so that changes by user text remain local. */
  copying = false;
  #nodes = new Map<string, GuestNode>();
  #views = new Map<string, { leaves: ExpressionRequest['parameters']; view?: object }>();
  #show: ShowParameters | undefined;

  receive(scope: GuestScope): void {
    this.scope = scope;
    this.customData = new CustomData(scope.customData);
    this.#nodes = new Map(scope.nodes);
    this.#views = new Map();
  }

  inputItem(index: number): GuestItem | undefined {
    const tableIndex = this.scope.items[index];
    return tableIndex === undefined ? undefined : this.itemAt(tableIndex);
  }

  inputItems(): GuestItem[] {
    return this.scope.items.map((tableIndex) => this.itemAt(tableIndex));
  }

  itemAt(tableIndex: number): GuestItem {
    const item = this.scope.table[tableIndex] as GuestItem;
    return this.copying ? copyOf(item) : item;
  }

  /**
   * Items of one output of a run; a negative run counts from the end. The default output is the one
   * connected to this node.
   */
  items(name: string, output?: number, run = -1): GuestItem[] {
    const runs = this.#aspect(name, 'runs');
    if (runs.length === 0) throw new ExpressionFailure(notExecuted(name));
    const outputs = runs[run < 0 ? runs.length + run : run];
    if (!outputs) throw new ExpressionFailure(`node "${name}" has no run ${run}`);
    return (outputs[output ?? this.#nodes.get(name)?.output ?? 0] ?? []).map((tableIndex) => this.itemAt(tableIndex));
  }

  runCount(name: string): number {
    return this.#aspect(name, 'runs').length;
  }

  pairedItem(name: string, itemIndex: number): GuestItem | undefined {
    const paired = this.#aspect(name, 'paired');
    if (paired.length === 0) throw new ExpressionFailure(notExecuted(name));
    const tableIndex = paired[itemIndex];
    if (typeof tableIndex === 'number')
      return withPairing(this.itemAt(tableIndex), this.#nodes.get(name)?.pairings?.[itemIndex]);
    if (tableIndex === null) return undefined;
    // With `executeOnce`, the items after the first are rarely asked for.
    if (tableIndex === undefined && !this.#nodes.get(name)?.isWhole && itemIndex >= 0)
      need({ node: name, aspect: 'allPaired' });
    throw new ExpressionFailure(tableIndex ?? `there is no item ${itemIndex}`);
  }

  parameters(name: string): unknown {
    return copyOf(this.#aspect(name, 'parameters'));
  }

  /** Sets how `parameterView` shows parameters; each view is created on the first read. */
  showParameters(nodes: ExpressionRequest['nodeParameters'], show: ShowParameters): void {
    this.#views = new Map(nodes.map(([name, leaves]) => [name, { leaves }]));
    this.#show = show;
  }

  /** The node's parameters, with the values of expressions if the host sent them. */
  parameterView(name: string): unknown {
    const parameters = this.#aspect(name, 'parameters');
    const entry = this.#views.get(name);
    if (!entry || entry.leaves.length === 0 || !this.#show) return copyOf(parameters);
    entry.view ??= this.#show(copyOf(parameters) as object, entry.leaves);
    return entry.view;
  }

  /** Data that the node stores between its runs. */
  context(name: string): unknown {
    return copyOf(this.#aspect(name, 'context'));
  }

  #aspect<A extends Exclude<NodeNeed['aspect'], 'allPaired'>>(name: string, aspect: A): NonNullable<GuestNode[A]> {
    const node = this.#nodes.get(name);
    if (node && !node.exists) throw new ExpressionFailure(unknownNode(name));
    const value = node?.[aspect];
    return (value as NonNullable<GuestNode[A]> | undefined) ?? need({ node: name, aspect });
  }
}

/**
 * The pairing is a hidden property: an item that code returns gets the pairing of its new index.
 */
function withPairing(item: GuestItem, pairing: NonNullable<GuestNode['pairings']>[number] | undefined): GuestItem {
  if (pairing === null || pairing === undefined) return item;
  return Object.defineProperty({ ...item }, 'pairedItem', { value: copyOf(pairing), configurable: true, writable: true });
}
