import type { JsonObject, JsonValue } from '@sluice/domain';
import type { EvaluationScope, ResolvedParameters } from './api.ts';
import { ExpressionError } from './errors.ts';
import type { ExpressionLeaf, ParameterTree, PlainLeaf } from './parameter-tree.ts';
import { evaluatePlain, walk } from './plain-evaluator.ts';
import type { GuestSlot } from './protocol.ts';
import { ReferenceFailure } from './scope-reads.ts';

/** What the guest made of a node's expressions, or why it made nothing. */
export type GuestResults =
  | { slots: readonly GuestSlot[][]; customData?: Record<string, string> | undefined }
  | { failure: string };

/** Parameters over the items of one node run. Plain expressions are evaluated when they are asked for, in the host. */
export class ResolvedTree implements ResolvedParameters {
  readonly customData?: Record<string, string>;
  readonly #tree: ParameterTree;
  readonly #scope: EvaluationScope;
  readonly #results: GuestResults;

  constructor(tree: ParameterTree, scope: EvaluationScope, results: GuestResults) {
    this.#tree = tree;
    this.#scope = scope;
    this.#results = results;
    if ('slots' in results && results.customData) this.customData = results.customData;
  }

  get(path: string, itemIndex: number): JsonValue | undefined {
    const steps = path === '' ? [] : path.split('.');
    let tree: ParameterTree | undefined = this.#tree;
    for (const [depth, step] of steps.entries()) {
      if (tree.kind === 'object') tree = tree.entries.get(step);
      else if (tree.kind === 'array') tree = tree.elements[Number(step)];
      else return walk(this.#valueOf(tree, itemIndex), steps.slice(depth)) as JsonValue | undefined;
      if (!tree) return undefined;
    }
    return this.#valueOf(tree, itemIndex);
  }

  #valueOf(tree: ParameterTree, itemIndex: number): JsonValue | undefined {
    switch (tree.kind) {
      case 'static':
        return tree.value;
      case 'array':
        return tree.elements.map((element) => this.#valueOf(element, itemIndex) ?? null);
      case 'object':
        return this.#objectOf(tree.entries, itemIndex);
      default:
        return this.#leafValue(tree, itemIndex);
    }
  }

  /** Keys whose expression gives undefined are left out. `fromEntries` defines, so that no key is special. */
  #objectOf(entries: ReadonlyMap<string, ParameterTree>, itemIndex: number): JsonObject {
    const values: [string, JsonValue][] = [];
    for (const [key, tree] of entries) {
      const value = this.#valueOf(tree, itemIndex);
      if (value !== undefined) values.push([key, value]);
    }
    return Object.fromEntries(values);
  }

  #leafValue(leaf: ExpressionLeaf, itemIndex: number): JsonValue | undefined {
    if (leaf.kind === 'refused') throw this.#failed(leaf, itemIndex, leaf.message);
    if (leaf.kind === 'plain') return this.#plainValue(leaf, itemIndex);
    if ('failure' in this.#results) throw this.#failed(leaf, itemIndex, this.#results.failure);
    const slot = this.#results.slots[itemIndex]?.[leaf.leafIndex];
    if (slot && 'message' in slot) throw this.#failed(leaf, itemIndex, slot.message);
    return slot?.[0];
  }

  #plainValue({ parts, whole, path }: PlainLeaf, itemIndex: number): JsonValue | undefined {
    try {
      const [first] = parts;
      if (whole && first && 'expression' in first) return evaluatePlain(first.expression, this.#scope, itemIndex);
      let text = '';
      for (const part of parts) {
        text += 'text' in part ? part.text : toText(evaluatePlain(part.expression, this.#scope, itemIndex));
      }
      return text;
    } catch (error) {
      if (error instanceof ReferenceFailure) throw this.#failed({ path }, itemIndex, error.message);
      throw error;
    }
  }

  #failed({ path }: { path: string }, itemIndex: number, message: string): ExpressionError {
    return new ExpressionError({ message, parameter: path, itemIndex });
  }
}

/** A value within text, printed as the language prints it, without calling anything of the value's own. */
function toText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? value.map(toText).join(',') : '[object Object]';
}
