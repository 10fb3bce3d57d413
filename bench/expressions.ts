import type { Item } from '@sluice/domain';
import { createSandbox, type EvaluationScope, type Sandbox } from '@sluice/sandbox';
import { itemsOf, setNode } from './engine-cases.ts';
import { median, round } from './statistics.ts';

/** The cost of expressions in a chain of set nodes, and of a Code node: medians in milliseconds. */
const repetitions = 15;
const never = new AbortController().signal;

function scopeOf(items: readonly Item[]): EvaluationScope {
  return {
    items,
    runIndex: 0,
    node: { name: 'Set', parameters: {} },
    previousNode: undefined,
    workflow: { id: '1', projectId: '1', name: 'Bench', active: false, timezone: 'Europe/Berlin' },
    execution: { id: '1', mode: 'manual' },
    vars: {},
    env: {},
    nowMs: Date.now(),
    runsOf: () => undefined,
    outputOf: () => 0,
    contextOf: () => undefined,
    parametersOf: () => undefined,
    pairedItem: () => ({ error: 'none' }),
  };
}

async function chain(sandbox: Sandbox, nodes: number, items: number, value: string): Promise<number> {
  const compiled = Array.from({ length: nodes }, () => sandbox.compile(setNode(value).parameters));
  const scope = scopeOf(itemsOf(items));
  return medianOf(async () => {
    for (const parameters of compiled) {
      const resolved = await sandbox.resolve(parameters, scope, never);
      for (let itemIndex = 0; itemIndex < items; itemIndex += 1) resolved.get('assignments.assignments', itemIndex);
    }
  });
}

async function code(sandbox: Sandbox, items: number, source: string): Promise<number> {
  const scope = scopeOf(itemsOf(items));
  return medianOf(() => sandbox.runCode({ source, mode: 'allItems', scope }, never));
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  await work();
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const startedAt = performance.now();
    await work();
    durations.push(performance.now() - startedAt);
  }
  return round(median(durations));
}

const zoned = '={{ DateTime.fromISO($json.at).setZone("America/New_York").toFormat("yyyy-MM-dd HH:mm") }}';
const sandbox = createSandbox({ timeoutMs: 10_000, memoryMb: 128, threads: 2 });
const results = {
  'plain path, 100 nodes, 1 item': await chain(sandbox, 100, 1, '={{ $json.name }}'),
  'plain path, 100 nodes, 1,000 items': await chain(sandbox, 100, 1_000, '={{ $json.name }}'),
  'method, 100 nodes, 1 item': await chain(sandbox, 100, 1, '={{ $json.name.trim() }}'),
  'method, 10 nodes, 1,000 items': await chain(sandbox, 10, 1_000, '={{ $json.name.trim() }}'),
  'extension method, 100 nodes, 1 item': await chain(sandbox, 100, 1, '={{ $json.name.isEmail() }}'),
  'extension method, 10 nodes, 1,000 items': await chain(sandbox, 10, 1_000, '={{ $json.name.isEmail() }}'),
  'zoned date, 10 nodes, 1,000 items': await chain(sandbox, 10, 1_000, zoned),
  'code, 1 item': await code(sandbox, 1, 'return items'),
  'code, 10,000 items mapped': await code(sandbox, 10_000, 'return items.map(({ json }) => ({ json: { n: json.n * 2 } }))'),
};
await sandbox.close();
console.log(JSON.stringify({ milliseconds: results }, null, 2));
