import type { JsonValue } from '@sluice/domain';
import { BeyondHost, type HostBudget, jsonNumber } from '@sluice/expressions';
import type { EvaluationScope } from '../api.ts';
import {
  callDateFunction,
  callDateMethod,
  dateAt,
  dateField,
  dateFunctionNames,
  HostDate,
  isDateField,
  makesDate,
} from './host-dates.ts';
import { callFunction, callMethod, charged, resultMember } from './host-functions.ts';
import type { ScopeExpression, ScopeRead } from './host-language.ts';
import { itemReads, type PathRoot, type ScopePath } from './parse-path.ts';
import { languageMethods, type ParameterValues, rootValue } from './read-path.ts';

/**
 * Reads a path that is an operand. Throws `BeyondHost` if the guest may behave differently: there,
 * a read of undefined stops the whole expression, and values have members that are not fields.
 */
function readOperand(
  path: ScopePath,
  scope: EvaluationScope,
  itemIndex: number,
  parameters: ParameterValues,
): JsonValue | undefined {
  const { root, steps } = path;
  let value = rootValue(path, scope, itemIndex, parameters);
  for (const step of steps) value = memberOf(value, step);
  if (hasItems(root) && typeof value === 'object' && !steps.some((step) => itemFields.has(step))) throw BeyondHost.instance;
  const isItemField = root.kind === 'scope' && root.name === '$json' && steps.length > 0;
  if (value === undefined && !isItemField) throw BeyondHost.instance;
  return jsonNumber(value as JsonValue | undefined);
}

/** Fields of an item that the guest has, unlike its `pairedItem`. */
const itemFields = new Set<string | number>(['json', 'binary']);

/** Whether the root is an item or a list of items. */
function hasItems(root: PathRoot): boolean {
  return (root.kind === 'input' || root.kind === 'node') && itemReads.some((read) => read === root.read);
}

/** A field; `undefined` if an object does not have it. */
function memberOf(holder: unknown, step: string | number): unknown {
  if (typeof holder === 'string' && step === 'length') return holder.length;
  if (typeof holder !== 'object' || holder === null) throw BeyondHost.instance;
  if (Object.hasOwn(holder, step)) return (holder as Record<string | number, unknown>)[step];
  if (Array.isArray(holder) || languageMethods.get('object')?.has(step)) throw BeyondHost.instance;
  return undefined;
}

/** Reads operands of one scope, item by item, within one budget. */
export class OperandReader {
  itemIndex = 0;
  readonly #scope: EvaluationScope;
  readonly #budget: HostBudget;
  readonly #parameters: ParameterValues;

  constructor(scope: EvaluationScope, budget: HostBudget, parameters: ParameterValues) {
    this.#scope = scope;
    this.#budget = budget;
    this.#parameters = parameters;
  }

  readonly read = (read: ScopeRead, evaluate: (expression: ScopeExpression) => unknown): unknown => {
    const budget = this.#budget;
    if ('root' in read) {
      budget.spendWork(read.steps.length);
      return readOperand(read, this.#scope, this.itemIndex, this.#parameters);
    }
    if ('date' in read) return this.#date(read.date);
    if ('holder' in read) {
      const holder = evaluate(read.holder);
      return isDateField(read.key) ? dateField(holder, read.key) : resultMember(holder, read.key);
    }
    const values = read.values.map(evaluate);
    if (values.some((value) => value instanceof HostDate)) throw BeyondHost.instance;
    const { timezone } = this.#scope.workflow;
    if ('called' in read) {
      if (!dateFunctionNames.has(read.called)) return callFunction(read.called, values, budget);
      return charged(budget, () => callDateFunction(read.called, values, timezone));
    }
    const receiver = evaluate(read.receiver);
    if (!(receiver instanceof HostDate) && !makesDate(read.method)) return callMethod({ ...read, receiver, values }, budget);
    return charged(budget, () => callDateMethod(read.method, receiver, values, timezone));
  };

  #date(name: 'now' | 'today'): unknown {
    const { nowMs, workflow } = this.#scope;
    return charged(this.#budget, () => {
      const now = dateAt(nowMs, workflow.timezone);
      return name === 'now' ? now : callDateMethod('startOf', now, ['day'], workflow.timezone);
    });
  }
}
