import { randomInt } from 'node:crypto';
import {
  type BinaryReference,
  type Item,
  type JsonObject,
  type JsonValue,
  mapSliced,
  maxCustomEntries,
  maxCustomKeyLength,
  maxCustomValueLength,
  TimeSlice,
} from '@sluice/domain';
import type { EvaluationScope, NodeRunView } from '../api.ts';
import type { GuestItem, GuestNode, GuestScope, NodeNeed } from '../protocol.ts';
import { evaluationCount, executionView, itemCountOf, workflowView } from './evaluation-scope.ts';
import type { CodeReferences } from './find-references.ts';

/**
 * Collects the parts of a scope that the guest receives: first those that the sources name, then,
 * in each round, those that the guest requested. Each item is sent once, regardless of how many
 * nodes and pairings refer to it.
 */
export class GuestScopeBuilder {
  readonly #scope: EvaluationScope;
  readonly #references: CodeReferences;
  readonly #table: GuestItem[] = [];
  readonly #tableIndexes = new Map<Item, number>();
  readonly #nodes = new Map<string, GuestNode>();
  #items: number[] = [];
  #files: ReadonlyMap<string, BinaryReference> | undefined;
  readonly #seed = Array.from({ length: 4 }, () => randomInt(2 ** 32));

  constructor(scope: EvaluationScope, references: CodeReferences) {
    this.#scope = scope;
    this.#references = references;
  }

  /** Collects the parts that the sources name. Runs in time slices, as do all later steps. */
  async start(): Promise<void> {
    if (this.#references.items) this.#items = await this.#inputPlaces(this.#scope.items);
    await this.add(this.#references.needs);
  }

  async add(needs: readonly NodeNeed[]): Promise<void> {
    const slice = new TimeSlice();
    this.#files = undefined;
    for (const { node: name, aspect } of needs) {
      const node = this.#nodes.get(name) ?? { exists: false };
      this.#nodes.set(name, node);
      if (aspect === 'parameters') this.#addParameters(name, node);
      else if (aspect === 'context') this.#addContext(name, node);
      else await this.#addRuns(name, node, aspect);
      if (slice.isOver) await slice.next();
    }
  }

  build(): GuestScope {
    const { runIndex, previousNode, vars, env, nowMs, workflow, node, execution } = this.#scope;
    return {
      table: this.#table,
      items: this.#items,
      itemCount: itemCountOf(this.#scope),
      nodes: [...this.#nodes],
      runIndex,
      nodeName: node.name,
      nodeVersion: node.typeVersion ?? null,
      nodeId: node.id ?? null,
      parameters: this.#references.parameters ? node.parameters : {},
      previousNode: previousNode ?? null,
      workflow: workflowView(this.#scope),
      mode: execution.mode,
      execution: executionView(this.#scope),
      customData: {
        values: execution.customData ?? {},
        maxEntries: maxCustomEntries,
        maxKeyLength: maxCustomKeyLength,
        maxValueLength: maxCustomValueLength,
      },
      vars: this.#references.vars ? vars : {},
      env: this.#references.env ? env : {},
      names: this.#names(),
      timezone: workflow.timezone,
      nowMs,
      seed: this.#seed,
    };
  }

  #names(): Record<string, JsonValue> {
    const { names = {} } = this.#scope;
    return Object.fromEntries(Object.entries(names).filter(([name]) => this.#references.names.has(name)));
  }

  /**
   * The file with this ID in the sent data: user code may read files and pass them on, but not
   * invent them.
   */
  fileOf(id: string): BinaryReference | undefined {
    this.#files ??= new Map(
      this.#table.flatMap(({ binary = {} }) => Object.values(binary).map((reference) => [reference.id, reference])),
    );
    return this.#files.get(id);
  }

  #addParameters(name: string, node: GuestNode): void {
    const parameters = this.#scope.parametersOf(name);
    node.exists = parameters !== undefined;
    if (parameters) node.parameters = parameters;
  }

  #addContext(name: string, node: GuestNode): void {
    node.exists = this.#scope.runsOf(name) !== undefined;
    if (node.exists) node.context = this.#scope.contextOf(name) ?? {};
  }

  async #addRuns(name: string, node: GuestNode, aspect: 'runs' | 'paired' | 'allPaired'): Promise<void> {
    const runs = this.#scope.runsOf(name);
    node.exists = runs !== undefined;
    if (!runs) return;
    if (aspect !== 'runs') {
      const count = aspect === 'paired' ? evaluationCount(this.#scope) : this.#scope.items.length;
      const { paired, pairings } = runs.length === 0 ? { paired: [], pairings: [] } : await this.#pairedItems(name, count);
      Object.assign(node, { paired, pairings, isWhole: count >= this.#scope.items.length });
      return;
    }
    const views: (number[] | null)[][] = [];
    for (const run of runs) views.push(await this.#outputsOf(run));
    node.runs = views;
    node.output = this.#scope.outputOf(name);
  }

  async #outputsOf({ outputs }: NodeRunView): Promise<(number[] | null)[]> {
    const tableIndexes: (number[] | null)[] = [];
    for (const items of outputs) tableIndexes.push(items && (await this.#tableIndexesOf(items)));
    return tableIndexes;
  }

  async #pairedItems(name: string, count: number): Promise<Required<Pick<GuestNode, 'paired' | 'pairings'>>> {
    const slice = new TimeSlice();
    const [tableIndexes, pairings]: [NonNullable<GuestNode['paired']>, NonNullable<GuestNode['pairings']>] = [[], []];
    for (let itemIndex = 0; itemIndex < count; itemIndex += 1) {
      const paired = this.#scope.pairedItem(name, itemIndex);
      const item = 'item' in paired ? paired.item : undefined;
      tableIndexes.push('error' in paired ? paired.error : item ? this.#tableIndexOf(item) : null);
      pairings.push(item ? pairingOf(item) : null);
      // Finding one item may take milliseconds.
      if (slice.isOver) await slice.next();
    }
    return { paired: tableIndexes, pairings };
  }

  /** If only some fields are read, copies of the items with only these fields are sent. */
  #inputPlaces(items: readonly Item[]): Promise<number[]> {
    const { jsonFields } = this.#references;
    if (!jsonFields) return this.#tableIndexesOf(items);
    return mapSliced(items, ({ json }) => this.#table.push({ json: pick(json, jsonFields) }) - 1);
  }

  #tableIndexesOf(items: readonly Item[]): Promise<number[]> {
    return mapSliced(items, (item) => this.#tableIndexOf(item));
  }

  #tableIndexOf(item: Item): number {
    const existing = this.#tableIndexes.get(item);
    if (existing !== undefined) return existing;
    const { json, binary } = item;
    const tableIndex = this.#table.push(binary ? { json, binary } : { json }) - 1;
    this.#tableIndexes.set(item, tableIndex);
    return tableIndex;
  }
}

/** Maximum number of source items of an item whose pairing is sent. */
const maxPairs = 100;

function pairingOf({ pairedItem }: Item): NonNullable<GuestNode['pairings']>[number] {
  const isShort = !Array.isArray(pairedItem) || pairedItem.length <= maxPairs;
  return pairedItem !== undefined && isShort ? pairedItem : null;
}

/** A list is sent as a whole, because an apparent field may be a method. */
function pick(json: JsonObject, fields: readonly string[]): JsonObject {
  if (Array.isArray(json)) return json;
  const present = fields.filter((field) => Object.hasOwn(json, field));
  return Object.fromEntries(present.map((field) => [field, json[field] as JsonValue]));
}
