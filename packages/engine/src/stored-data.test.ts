import { describe, expect, jest, test } from '@jest/globals';
import type { JsonObject, NodeRunRecord } from '@sluice/domain';
import { type CodeRunRequest, type CodeRunResult, createSandbox } from '@sluice/sandbox';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems } from './testing/test-nodes.ts';

type RunCode = (request: CodeRunRequest) => Promise<Partial<CodeRunResult>>;

/** `T -> A -> B`, two code nodes that run `runCode`. */
async function runTwoCodeNodes(runCode: RunCode, overrides: Parameters<typeof runGraph>[1] = {}, node: object = {}) {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async (request) => ({ items: [...request.scope.items], logs: [], ...(await runCode(request)) });
  const code = { type: 'code', ...node };
  return runGraph(graphOf(['T -> A', 'A -> B'], { T: { type: 'emit' }, A: code, B: code }), overrides, engine);
}

describe('static data', () => {
  const stored = { global: { n: 1 }, 'node:B': { seen: true }, 'node:C': { other: 1 } };

  /** Each node increments the global part and records its own name. */
  const count: RunCode = async ({ staticData, scope }) => {
    const { global = {}, node = {} } = (await staticData?.()) ?? {};
    return { staticData: { global: { n: Number(global['n'] ?? 0) + 1 }, node: { ...node, by: scope.node.name } } };
  };

  test('is read once, shows changes to later nodes, and its changed parts are returned on success', async () => {
    const read = jest.fn(async (): Promise<JsonObject> => stored);
    const { outcome } = await runTwoCodeNodes(count, { staticData: read });
    expect(read).toHaveBeenCalledTimes(1);
    expect(outcome).toMatchObject({
      staticData: { global: { n: 3 }, 'node:A': { by: 'A' }, 'node:B': { seen: true, by: 'B' } },
    });
    expect(outcome).not.toHaveProperty(['staticData', 'node:C']);
    expect(stored.global.n).toBe(1);
  });

  test('is not read in a run that does not use it', async () => {
    const read = jest.fn(async (): Promise<JsonObject> => stored);
    const { outcome } = await runTwoCodeNodes(async () => ({}), { staticData: read });
    expect(read).not.toHaveBeenCalled();
    expect(outcome).not.toHaveProperty('staticData');
  });

  test('counts as changed if a replayed node run changed it', async () => {
    const first = await runTwoCodeNodes(count, { staticData: async () => stored });
    const again = await runTwoCodeNodes(count, { staticData: async () => stored, done: first.records.slice(0, 2) });
    expect(again.outcome).toEqual(first.outcome);
  });

  test('fails the node that requests it if it cannot be read', async () => {
    const { outcome } = await runTwoCodeNodes(count, { staticData: () => Promise.reject(new Error('away')) });
    expect(outcome).toMatchObject({ status: 'error', error: { node: 'A', message: 'away' } });
  });
});

describe('custom data', () => {
  const customDataOf = (records: readonly NodeRunRecord[]) => records.map(({ run }) => run.customData);

  test('is recorded with the node run that set it, and visible to later node runs', async () => {
    const seen: unknown[] = [];
    const { records } = await runTwoCodeNodes(async ({ scope }) => {
      seen.push(scope.execution.customData);
      return { customData: { [scope.node.name]: 'set' } };
    });
    expect(customDataOf(records)).toEqual([undefined, { A: 'set' }, { B: 'set' }]);
    expect(seen).toEqual([undefined, { A: 'set' }]);
  });

  test('set by a node is added to the data of earlier nodes, within the limits', async () => {
    const saving = (key: string, value = 'x') => ({ type: 'saving', parameters: { key, value } });
    const { records } = await runGraph(
      graphOf(['T -> A', 'A -> B'], { T: { type: 'emit' }, A: saving('a', '1'), B: saving('__proto__', '2') }),
    );
    expect(customDataOf(records)).toEqual([undefined, { a: '1' }, Object.fromEntries([['__proto__', '2']])]);
    const names = Array.from({ length: 11 }, (_, index) => `N${index}`);
    const edges = names.slice(1).map((name, index) => `${names[index]} -> ${name}`);
    const many = graphOf(['T -> N0', ...edges], {
      T: { type: 'emit' },
      ...Object.fromEntries(names.map((name) => [name, saving(name)])),
    });
    const problems = [
      (await runGraph(many)).outcome,
      (await runGraph(graphOf(['T -> A'], { T: { type: 'emit' }, A: saving('a b') }))).outcome,
      (await runGraph(graphOf(['T -> A'], { T: { type: 'emit' }, A: saving('a', 'x'.repeat(256)) }))).outcome,
    ];
    expect(problems).toMatchObject([
      { status: 'error', error: { node: 'N10', message: 'an execution has at most 10 entries of custom data' } },
      { status: 'error', error: { message: expect.stringContaining('a key of custom data has letters') } },
      { status: 'error', error: { message: 'a value of custom data has at most 255 characters' } },
    ]);
  });

  test('set by expressions is kept even if the node then fails', async () => {
    const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
    try {
      const engine = { ...testEngine(), sandbox };
      const tag = '={{ $execution.customData.set("by", "expression") }}';
      const graph = graphOf(['T -> A'], { T: { type: 'emit' }, A: { type: 'flaky', parameters: { tag } } });
      const { records } = await runGraph(graph, {}, engine);
      expect(records[1]?.run).toMatchObject({ executionStatus: 'error', customData: { by: 'expression' } });
    } finally {
      await sandbox.close();
    }
  });
});

test('code that fails for one item keeps the other items, and onError applies to the failed item', async () => {
  const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
  try {
    const engine = { ...testEngine(), sandbox };
    const perItem = 'if ($json.n === 1) throw new Error("no"); return { done: $json.n }';
    const code = { type: 'each-item-code', parameters: { source: perItem } };
    const pinData = { T: asItems({ n: 0 }, { n: 1 }, { n: 2 }) };
    const runWith = (onError: 'continueRegularOutput' | 'continueErrorOutput') =>
      runGraph(graphOf(['T -> A'], { T: { type: 'emit' }, A: { ...code, onError } }, { pinData }), {}, engine);
    const regular = await runWith('continueRegularOutput');
    expect(regular.json('A')).toEqual([{ done: 0 }, { error: 'no' }, { done: 2 }]);
    const split = await runWith('continueErrorOutput');
    expect(split.json('A')).toEqual([{ done: 0 }, { done: 2 }]);
    expect(split.json('A', 0, 1)).toEqual([{ n: 1, error: 'no' }]);
  } finally {
    await sandbox.close();
  }
});
