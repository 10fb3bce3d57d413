import type { Item, JsonObject } from '@sluice/domain';
import type { EvaluationScope, NodeRunView } from '../src/api.ts';

export interface ScopeFixture extends Partial<EvaluationScope> {
  /** Node name → runs. A node without runs has not run. */
  runs?: Readonly<Record<string, readonly NodeRunView[]>>;
  parameters?: Readonly<Record<string, JsonObject>>;
}

/** A scope with one item `{}`; pairs items by index with output 0 of a node's first run. */
export function makeScope({ items = [{ json: {} }], runs = {}, parameters = {}, ...rest }: ScopeFixture = {}): EvaluationScope {
  const own = <T>(record: Readonly<Record<string, T>>, name: string) =>
    Object.hasOwn(record, name) ? record[name] : undefined;
  return {
    items,
    runIndex: 0,
    node: { name: 'Self', parameters: {} },
    previousNode: undefined,
    workflow: { id: 'w1', projectId: 'p1', name: 'Orders', active: true, timezone: 'Europe/Berlin' },
    execution: { id: '42', mode: 'manual' },
    vars: {},
    env: {},
    nowMs: Date.UTC(2026, 2, 28, 23, 30),
    runsOf: (name) => own(runs, name),
    outputOf: () => 0,
    contextOf: () => undefined,
    parametersOf: (name) => own(parameters, name),
    pairedItem: (name, itemIndex) => {
      const item = own(runs, name)?.[0]?.outputs[0]?.[itemIndex];
      return item ? { item } : { error: `no paired item in "${name}"` };
    },
    ...rest,
  };
}

export function itemsOf(...objects: JsonObject[]): Item[] {
  return objects.map((json) => ({ json }));
}

/** A signal that does not fire. */
export const never: AbortSignal = new AbortController().signal;
