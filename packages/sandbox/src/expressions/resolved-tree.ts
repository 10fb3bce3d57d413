import type { JsonObject, JsonValue } from '@sluice/domain';
import type { EvaluationScope, ResolvedParameters } from '../api.ts';
import { ExpressionError } from '../errors.ts';
import { outOfMemory } from '../guest/messages.ts';
import { readPath, walk } from '../host-language/read-path.ts';
import { hintFor } from '../outcome-messages.ts';
import type { GuestSlot } from '../protocol.ts';
import { ReferenceFailure } from '../scope/evaluation-scope.ts';
import type { CompiledTree } from './compiled-tree.ts';
import type { BatchLeafPlace, ExpressionLeaf, ParameterTree, ReferenceLeaf } from './parameter-tree.ts';

/** The values of a batch: item → leaf. `failure`: why leaves without a slot have no value. */
export interface BatchResults {
  slots: readonly (readonly GuestSlot[])[];
  failure?: string;
  hint?: string | undefined;
  customData?: Record<string, string> | undefined;
}

/** Parameter values for the items of one node run. References are read on request. */
export class ResolvedTree implements ResolvedParameters {
  readonly customData?: Record<string, string>;
  readonly #compiled: CompiledTree;
  readonly #scope: EvaluationScope;
  readonly #results: BatchResults;

  constructor(compiled: CompiledTree, scope: EvaluationScope, results: BatchResults) {
    this.#compiled = compiled;
    this.#scope = scope;
    this.#results = results;
    if (results.customData) this.customData = results.customData;
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

  /** Keys whose expression is undefined are omitted. */
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
    if (leaf.kind === 'reference') return this.#referenceValue(leaf, itemIndex);
    const slot = this.#slotOf(leaf, itemIndex);
    if (slot && 'message' in slot) {
      const hint = slot.message === outOfMemory ? hintFor('memory') : undefined;
      throw this.#failed(leaf, itemIndex, slot.message, hint);
    }
    return slot?.[0];
  }

  #slotOf(leaf: BatchLeafPlace, itemIndex: number): GuestSlot | undefined {
    const slot = this.#results.slots[itemIndex - (this.#scope.onlyItem ?? 0)]?.[leaf.leafIndex];
    const { failure, hint } = this.#results;
    if (!slot && failure !== undefined) throw this.#failed(leaf, itemIndex, failure, hint);
    return slot;
  }

  #referenceValue({ expression, path }: ReferenceLeaf, itemIndex: number): JsonValue | undefined {
    if (expression.kind === 'literal') return expression.value;
    try {
      return readPath(expression.read, this.#scope, itemIndex);
    } catch (error) {
      if (error instanceof ReferenceFailure) throw this.#failed({ path }, itemIndex, error.message);
      throw error;
    }
  }

  #failed({ path }: { path: string }, itemIndex: number, message: string, hint?: string): ExpressionError {
    return new ExpressionError({ message, parameter: path, itemIndex, hint });
  }
}
