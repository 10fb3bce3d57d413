import { setImmediate } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { BeyondHost, Evaluator, HostBudget, type HostLimits, jsonNumber } from '@sluice/expressions';
import type { EvaluationScope } from '../api.ts';
import { maxOpenParameters } from '../guest/parameter-view.ts';
import { plainJson } from '../host-language/host-json.ts';
import { isPath } from '../host-language/host-language.ts';
import { isHostDate, textOfDate } from '../host-language/js-dates.ts';
import { OperandReader } from '../host-language/operand-reader.ts';
import { readPath } from '../host-language/read-path.ts';
import { maxPatternSize } from '../host-language/regex-cost.ts';
import type { ScopeExpression, ScopeRead } from '../host-language/scope-read.ts';
import type { GuestSlot } from '../protocol.ts';
import { ReferenceFailure } from '../scope/evaluation-scope.ts';
import { CompiledTree } from './compiled-tree.ts';
import type { BatchLeaf, HostLeaf } from './parameter-tree.ts';

/** The host's budget for one node run. Beyond it, the guest evaluates with its own limits. */
const hostLimits: HostLimits = { text: 16 * 1024 * 1024, work: 1_000_000, ms: 250 };
/** Milliseconds after which evaluation yields to the event loop. */
const sliceMs = 10;
/**
 * Milliseconds after which a slice calls no more functions: the guest evaluates an expression that
 * makes too many calls.
 */
const sliceCallsMs = 30;

/** The slots of a leaf list per item; `undefined` if the guest must evaluate them. */
export type HostSlots = GuestSlot[][] | undefined;

/**
 * Evaluates leaves for all items. Synchronous if it fits into one slice. Rejects with the signal's
 * reason.
 */
export function evaluateInHost(
  leaves: readonly HostLeaf[],
  scope: EvaluationScope,
  items: { first: number; count: number },
  signal: AbortSignal,
): HostSlots | Promise<HostSlots> {
  const evaluation = new HostEvaluation(leaves, scope, items);
  return evaluation.runSlice() ? evaluation.slots : evaluation.runToEnd(signal);
}

class HostEvaluation {
  slots: HostSlots = [];
  readonly #leaves: readonly HostLeaf[];
  readonly #scope: EvaluationScope;
  readonly #first: number;
  readonly #count: number;
  readonly #budget = new HostBudget(hostLimits);
  readonly #reader: OperandReader;
  readonly #evaluator: Evaluator<ScopeRead>;
  #next = 0;
  #parameterValues: JsonObject | undefined;
  /** Parameters whose value is being computed for another parameter. */
  readonly #open = new Set<string>();

  constructor(leaves: readonly HostLeaf[], scope: EvaluationScope, { first, count }: { first: number; count: number }) {
    this.#leaves = leaves;
    this.#scope = scope;
    this.#first = first;
    this.#count = count;
    this.#reader = new OperandReader(scope, this.#budget, this.#parameters);
    this.#evaluator = new Evaluator(this.#reader.read, this.#budget, {
      readsSeeUndefined: true,
      memberOf: (value) => plainJson(value, this.#budget),
    });
  }

  async runToEnd(signal: AbortSignal): Promise<HostSlots> {
    do {
      await setImmediate();
      signal.throwIfAborted();
    } while (!this.runSlice());
    return this.slots;
  }

  /** Returns whether evaluation has finished, with or without slots. */
  runSlice(): boolean {
    const startedAt = performance.now();
    this.#budget.endCallsAt(startedAt + sliceCallsMs);
    const total = this.#count * this.#leaves.length;
    try {
      while (this.#next < total) {
        this.#evaluateNext();
        const elapsedMs = performance.now() - startedAt;
        if (elapsedMs < sliceMs || this.#next === total) continue;
        this.#budget.spendTime(elapsedMs);
        return false;
      }
    } catch (error) {
      if (!(error instanceof BeyondHost)) throw error;
      this.slots = undefined;
    }
    return true;
  }

  #evaluateNext(): void {
    const row = Math.floor(this.#next / this.#leaves.length);
    const leaf = this.#leaves[this.#next % this.#leaves.length] as HostLeaf;
    this.#reader.itemIndex = this.#first + row;
    const slots = this.slots as GuestSlot[][];
    slots[row] ??= [];
    slots[row].push(this.#slotOf(leaf));
    this.#next += 1;
  }

  /** The guest reports failures of operators; a path fails here with the same message. */
  #slotOf({ parts, whole, hasOperators }: HostLeaf): GuestSlot {
    try {
      const value = this.#leafValue(parts, whole);
      return value === undefined ? [] : [value];
    } catch (error) {
      if (!(error instanceof ReferenceFailure)) throw error;
      if (hasOperators) throw BeyondHost.instance;
      return { message: error.message };
    }
  }

  #leafValue(parts: HostLeaf['parts'], whole: boolean): JsonValue | undefined {
    const [first] = parts;
    return whole && first && !('text' in first) ? this.#value(first.expression) : this.#print(parts);
  }

  /** The parameters; expressions have their value for the current item, computed when read. */
  readonly #parameters = (): JsonObject => {
    this.#parameterValues ??= this.#withValues(this.#scope);
    return this.#parameterValues;
  };

  #withValues({ node: { parameters }, compiledParameters }: EvaluationScope): JsonObject {
    const expressions = compiledParameters instanceof CompiledTree ? compiledParameters.expressions : [];
    const values = { ...parameters };
    for (const [name, leaf] of expressions)
      Object.defineProperty(values, name, { get: () => this.#parameterValue(name, leaf), enumerable: true });
    return values;
  }

  /** The guest reports a parameter that refers to itself, and a chain that is too long. */
  #parameterValue(name: string, leaf: BatchLeaf | string): JsonValue | undefined {
    if (typeof leaf === 'string') throw new ReferenceFailure(leaf);
    if (!leaf.host || this.#open.has(name) || this.#open.size === maxOpenParameters) throw BeyondHost.instance;
    this.#open.add(name);
    try {
      const { parts, whole } = leaf.host;
      return this.#reader.withoutVariables(() => this.#leafValue(parts, whole));
    } finally {
      this.#open.delete(name);
    }
  }

  #print(parts: HostLeaf['parts']): string {
    let text = '';
    for (const part of parts) {
      if ('text' in part) this.#budget.spendText(part.text.length);
      text += 'text' in part ? part.text : this.#evaluator.textOf(this.#value(part.expression));
    }
    return text;
  }

  #value(expression: ScopeExpression): JsonValue | undefined {
    if (!isPath(expression)) {
      const value = this.#evaluator.valueOf(expression);
      if (isHostDate(value)) return textOfDate(value);
      // Only groups of regular expressions are undefined in lists, and these are few.
      const hasGaps = Array.isArray(value) && value.length <= maxPatternSize && value.includes(undefined);
      return jsonNumber((hasGaps ? value.map((element) => element ?? null) : value) as JsonValue | undefined);
    }
    this.#budget.spendWork(1 + expression.read.steps.length);
    return readPath(expression.read, this.#scope, this.#reader.itemIndex, this.#parameters);
  }
}
