import type { JsonObject, JsonValue } from '@sluice/domain';
import type { EvaluationScope, ResolvedParameters } from './api.ts';
import type { CompiledTree } from './compiled-tree.ts';
import { ExpressionError } from './errors.ts';
import { hintFor, outOfMemory } from './outcome-messages.ts';
import type { ExpressionLeaf, ParameterTree, PlainLeaf } from './parameter-tree.ts';
import { evaluatePlain, toText, walk } from './plain-evaluator.ts';
import type { GuestSlot } from './protocol.ts';
import { ReferenceFailure } from './scope-reads.ts';

/** What the guest made of a node's expressions, or why it made nothing. */
export type GuestResults =
  | { slots: readonly GuestSlot[][]; customData?: Record<string, string> | undefined }
  | { failure: string; hint: string | undefined };

/** Parameters over the items of one node run. Plain expressions are evaluated when they are asked for, in the host. */
export class ResolvedTree implements ResolvedParameters {
  readonly customData?: Record<string, string>;
  readonly #compiled: CompiledTree;
  readonly #scope: EvaluationScope;
  readonly #results: GuestResults;

  constructor(compiled: CompiledTree, scope: EvaluationScope, results: GuestResults) {
    this.#compiled = compiled;
    this.#scope = scope;
    this.#results = results;
    if ('slots' in results && results.customData) this.customData = results.customData;
  }

  get(path: string, itemIndex: number): JsonValue | undefined {
    const place = this.#compiled.placeOf(path);
    if (!place) return undefined;
    const value = this.#valueOf(place.tree, itemIndex);
    return place.rest.length > 0 ? (walk(value, place.rest) as JsonValue | undefined) : value;
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

  /** Keys whose expression gives undefined are left out. */
  #objectOf(entries: ReadonlyMap<string, ParameterTree>, itemIndex: number): JsonObject {
    const object: JsonObject = {};
    for (const [key, tree] of entries) {
      const value = this.#valueOf(tree, itemIndex);
      if (value === undefined) continue;
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
      else object[key] = value;
    }
    return object;
  }

  #leafValue(leaf: ExpressionLeaf, itemIndex: number): JsonValue | undefined {
    if (leaf.kind === 'refused') throw this.#failed(leaf, itemIndex, leaf.message);
    if (leaf.kind === 'plain') return this.#plainValue(leaf, itemIndex);
    if ('failure' in this.#results) throw this.#failed(leaf, itemIndex, this.#results.failure, this.#results.hint);
    const slot = this.#results.slots[itemIndex - (this.#scope.onlyItem ?? 0)]?.[leaf.leafIndex];
    if (slot && 'message' in slot) {
      const hint = slot.message === outOfMemory ? hintFor('memory') : undefined;
      throw this.#failed(leaf, itemIndex, slot.message, hint);
    }
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

  #failed({ path }: { path: string }, itemIndex: number, message: string, hint?: string): ExpressionError {
    return new ExpressionError({ message, parameter: path, itemIndex, hint });
  }
}
