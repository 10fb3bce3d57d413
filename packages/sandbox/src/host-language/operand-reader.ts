import { isJsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import { BeyondHost, type HostBudget, jsonNumber } from '@sluice/expressions';
import type { EvaluationScope } from '../api.ts';
import { forbiddenNames } from './forbidden-names.ts';
import { callForEach } from './host-callbacks.ts';
import {
  callDateFunction,
  callDateMethod,
  type DateField,
  dateAt,
  dateField,
  dateFunctionNames,
  HostDate,
  isDateField,
  makesDate,
} from './host-dates.ts';
import { callFunction, callMethod, charged } from './host-functions.ts';
import { callRegex } from './host-regex.ts';
import { callJsDateMethod, HostJsDate, isHostDate, newDate } from './js-dates.ts';
import { hasItems, isItemJson, itemsAt, type ScopePath } from './parse-path.ts';
import { itemsAsSeen, languageMethods, type ParameterValues, rootValue } from './read-path.ts';
import type { ScopeExpression, ScopeRead } from './scope-read.ts';

/**
 * Reads a path that is an operand. Throws `BeyondHost` if the guest may behave differently: there,
 * a read of undefined stops the whole expression, and values have members that are not fields.
 */
function readOperand(
  path: ScopePath,
  scope: EvaluationScope,
  itemIndex: number,
  parameters: ParameterValues,
  budget: HostBudget,
): JsonValue | undefined {
  const { root, steps } = path;
  let value = rootValue(path, scope, itemIndex, parameters);
  if (itemsAt(path) === 'list') {
    budget.spendWork((value as unknown[]).length);
    return itemsAsSeen(path, value) as JsonValue;
  }
  for (const step of steps) value = memberOf(value, step);
  if (hasItems(root) && typeof value === 'object' && !steps.some((step) => itemFields.has(step))) throw BeyondHost.instance;
  if (value === undefined && !(isItemJson(root) && steps.length > 0)) throw BeyondHost.instance;
  return jsonNumber(value as JsonValue | undefined);
}

/** Fields of an item that the guest has, unlike its `pairedItem`. */
const itemFields = new Set<string | number>(['json', 'binary']);

/** A member of a value that is not part of a path. */
function resultMember(holder: unknown, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number') throw BeyondHost.instance;
  if (forbiddenNames.has(String(key))) throw BeyondHost.instance;
  if (isHostDate(holder) && !isDateField(key)) throw BeyondHost.instance;
  if (isHostDate(holder)) return dateField(holder, key as DateField);
  const isIndex = typeof key === 'number' && (typeof holder === 'string' || Array.isArray(holder));
  return isIndex ? (holder as string)[key] : memberOf(holder, key);
}

/** A field; `undefined` if an object does not have it. */
function memberOf(holder: unknown, step: string | number): unknown {
  if (typeof holder === 'string' && step === 'length') return holder.length;
  if (typeof holder !== 'object' || holder === null) throw BeyondHost.instance;
  if (Object.hasOwn(holder, step)) return (holder as Record<string | number, unknown>)[step];
  if (Array.isArray(holder) || languageMethods.get('object')?.has(step)) throw BeyondHost.instance;
  return undefined;
}

type Evaluate = (expression: ScopeExpression) => unknown;

/** Reads operands of one scope, item by item, within one budget. */
export class OperandReader {
  itemIndex = 0;
  /** The values of variables, by slot. */
  #variables: unknown[] = [];
  readonly #scope: EvaluationScope;
  readonly #budget: HostBudget;
  readonly #parameters: ParameterValues;

  constructor(scope: EvaluationScope, budget: HostBudget, parameters: ParameterValues) {
    this.#scope = scope;
    this.#budget = budget;
    this.#parameters = parameters;
  }

  /** Evaluates another source, which has its own variables. */
  withoutVariables<T>(evaluate: () => T): T {
    const outer = this.#variables;
    this.#variables = [];
    try {
      return evaluate();
    } finally {
      this.#variables = outer;
    }
  }

  readonly read = (read: ScopeRead, evaluate: Evaluate): unknown => {
    const budget = this.#budget;
    if ('root' in read) {
      budget.spendWork(read.steps.length);
      return readOperand(read, this.#scope, this.itemIndex, this.#parameters, budget);
    }
    if ('date' in read) return this.#date(read.date);
    if ('holder' in read) return this.#member(read, evaluate);
    if ('local' in read) return this.#variables[read.local];
    if ('slot' in read) return this.#withVariables(read, evaluate);
    if ('each' in read) return this.#forEach(read, evaluate);
    if ('regex' in read) {
      const [text, ...values] = [read.text, ...read.values].map(evaluate);
      return charged(budget, () => callRegex(read.name, { text, values, regex: read.regex }, budget));
    }
    if ('newDate' in read) {
      const values = read.newDate.map(evaluate);
      return charged(budget, () => newDate(values));
    }
    if ('toolArgument' in read) return this.#toolArgument(read.toolArgument.map(evaluate));
    return this.#call(read, evaluate);
  };

  #call(read: Extract<ScopeRead, { called: string } | { method: string }>, evaluate: Evaluate): unknown {
    const budget = this.#budget;
    const values = read.values.map(evaluate);
    if (values.some(isHostDate)) throw BeyondHost.instance;
    const { timezone } = this.#scope.workflow;
    if ('called' in read) {
      if (!dateFunctionNames.has(read.called)) return callFunction(read.called, values, budget);
      return charged(budget, () => callDateFunction(read.called, values, timezone));
    }
    const receiver = evaluate(read.receiver);
    if (receiver instanceof HostJsDate) return charged(budget, () => callJsDateMethod(read.method, receiver, values, timezone));
    if (!(receiver instanceof HostDate) && !makesDate(read.method)) return callMethod({ ...read, receiver, values }, budget);
    return charged(budget, () => callDateMethod(read.method, receiver, values, timezone));
  }

  #withVariables({ values, slot, body }: Extract<ScopeRead, { body: unknown }>, evaluate: Evaluate): unknown {
    for (const [index, value] of values.map(evaluate).entries()) this.#variables[slot + index] = value;
    return evaluate(body);
  }

  #forEach({ each, receiver, callback }: Extract<ScopeRead, { each: string }>, evaluate: Evaluate): unknown {
    const { slot, parameters, body } = callback;
    const call = (...values: [element: unknown, index: number]) => {
      for (let at = 0; at < parameters; at += 1) this.#variables[slot + at] = values[at];
      return evaluate(body);
    };
    return callForEach(each, evaluate(receiver), call, this.#budget);
  }

  #member(read: Extract<ScopeRead, { holder: unknown }>, evaluate: Evaluate): unknown {
    const holder = evaluate(read.holder);
    if (read.isOptional && (holder === undefined || holder === null)) return undefined;
    const value = resultMember(holder, evaluate(read.key));
    const isOfScope = read.holder.kind === 'read' && 'root' in read.holder.read && !isItemJson(read.holder.read.root);
    if (value === undefined && isOfScope) throw BeyondHost.instance;
    return jsonNumber(value);
  }

  /** The guest reports a call outside of tools. */
  #toolArgument([key, , , fallback]: readonly unknown[]): unknown {
    const values = this.#scope.names?.['$fromAI'];
    if (!isJsonObject(values) || typeof key !== 'string') throw BeyondHost.instance;
    return jsonNumber(Object.hasOwn(values, key) ? ownProperty(values, key) : fallback);
  }

  #date(name: 'now' | 'today'): unknown {
    const { nowMs, workflow } = this.#scope;
    return charged(this.#budget, () => {
      const now = dateAt(nowMs, workflow.timezone);
      return name === 'now' ? now : callDateMethod('startOf', now, ['day'], workflow.timezone);
    });
  }
}
