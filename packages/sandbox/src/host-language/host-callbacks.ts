import { BeyondHost, type HostBudget, jsonNumber } from '@sluice/expressions';
import { plainJson } from './host-json.ts';

/** Maximum number of elements for which a function is called. */
const maxCalls = 10_000;

type Call = (element: unknown, index: number) => unknown;

/** Methods of lists that call a function, which here is an expression with variables. */
const methods = new Map<string, (list: readonly unknown[], call: Call, budget: HostBudget) => unknown>([
  ['map', (list, call, budget) => list.map((element, index) => plainJson(call(element, index), budget))],
  ['filter', (list, call) => list.filter(call)],
  ['find', (list, call) => list.find(call)],
  ['findIndex', (list, call) => list.findIndex(call)],
  ['some', (list, call) => list.some(call)],
  ['every', (list, call) => list.every(call)],
]);

export const callbackMethodNames: ReadonlySet<string> = new Set(methods.keys());

/** Calls one of `callbackMethodNames` on a list. The guest reports values that are not lists. */
export function callForEach(name: string, list: unknown, call: Call, budget: HostBudget): unknown {
  if (!Array.isArray(list) || list.length > maxCalls) throw BeyondHost.instance;
  budget.spendWork(list.length);
  const checked: Call = (element, index) => {
    budget.assertCallsInTime();
    return call(jsonNumber(element), index);
  };
  return jsonNumber(methods.get(name)?.(list, checked, budget));
}
