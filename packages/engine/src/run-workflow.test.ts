import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ExecutionAborted, type WorkflowGraph } from '@sluice/domain';
import type { ExecuteContext } from '@sluice/node-sdk';
import type { NodeStart, RunRequest } from './ports.ts';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

const trigger = { type: 'manual-trigger' };

describe('order', () => {
  const diamond = ['T -> A', 'T -> B', 'A -> A2', 'B -> B2'];

  test('v1 runs each branch to its end, topmost first', async () => {
    const graph = graphOf(diamond, { T: trigger, A: { position: [0, 900] }, B: { position: [0, 100] } });
    const { order, outcome } = await runGraph(graph);
    expect(order).toEqual(['T', 'B', 'B2', 'A', 'A2']);
    expect(outcome).toEqual({ status: 'success', lastNodeExecuted: 'A2' });
  });

  test('v1 runs the left of two branches at the same height first', async () => {
    const graph = graphOf(diamond, { T: trigger, A: { position: [50, 0] }, B: { position: [-50, 0] } });
    expect((await runGraph(graph)).order).toEqual(['T', 'B', 'B2', 'A', 'A2']);
  });

  test('without an order, nodes run breadth-first in the order of connections', async () => {
    const graph = graphOf(diamond, { T: trigger, A: { position: [0, 900] }, B: { position: [0, 100] } }, { settings: {} });
    expect((await runGraph(graph)).order).toEqual(['T', 'A', 'B', 'A2', 'B2']);
  });
});

describe('branches', () => {
  test('a node with one input runs once for each branch that arrives', async () => {
    const { runData, json } = await runGraph(graphOf(['T -> A', 'T -> B', 'A -> End', 'B -> End'], { T: trigger }));
    expect(runData['End']).toHaveLength(2);
    expect(json('End', 0)).toEqual([{ via: ['A', 'End'] }]);
    expect(json('End', 1)).toEqual([{ via: ['B', 'End'] }]);
    expect(runData['End']?.[1]?.source).toEqual([{ previousNode: 'B' }]);
  });

  test('a branch without items stops', async () => {
    const { order } = await runGraph(graphOf(['T -> D', 'D -> After'], { T: trigger, D: { type: 'drop' } }));
    expect(order).toEqual(['T', 'D']);
  });

  test('items leave on the output to which they were routed', async () => {
    const graph = graphOf(['T -> R', 'R:0 -> Yes', 'R:1 -> No'], {
      T: trigger,
      R: { type: 'route', parameters: { value: '={{ $json.ok }}' } },
    });
    const { order, runData } = await runGraph(graph);
    expect(order).toEqual(['T', 'R', 'No']);
    expect(runData['No']?.[0]?.source).toEqual([{ previousNode: 'R', previousNodeOutput: 1 }]);
  });
});

describe('nodes with several inputs', () => {
  test('run once all inputs have arrived', async () => {
    const graph = graphOf(['T -> A', 'T -> B', 'A -> M:0', 'B -> M:1', 'M -> End'], { T: trigger, M: { type: 'append' } });
    const { order, json, runData } = await runGraph(graph);
    expect(order).toEqual(['T', 'A', 'B', 'M', 'End']);
    expect(json('M')).toEqual([{ via: ['A'] }, { via: ['B'] }]);
    expect(runData['M']?.[0]?.source).toEqual([{ previousNode: 'A' }, { previousNode: 'B' }]);
  });

  test('run with the available inputs when a branch ends without items', async () => {
    const graph = graphOf(['T -> A', 'T -> D', 'A -> M:0', 'D -> M:1'], {
      T: trigger,
      D: { type: 'drop' },
      M: { type: 'append' },
    });
    const { json, runData } = await runGraph(graph);
    expect(json('M')).toEqual([{ via: ['A'] }]);
    expect(runData['M']?.[0]?.source).toEqual([{ previousNode: 'A' }]);
  });

  test('do not run if nothing arrived', async () => {
    const graph = graphOf(['T -> D', 'T -> D2', 'D -> M:0', 'D2 -> M:1'], {
      T: trigger,
      D: { type: 'drop' },
      D2: { type: 'drop' },
      M: { type: 'append' },
    });
    expect((await runGraph(graph)).order).not.toContain('M');
  });

  test('do not wait for an input that cannot be reached from a started node', async () => {
    const graph = graphOf(['T -> M:0', 'Other -> M:1', 'T -> Late'], {
      T: trigger,
      Other: { type: 'other-trigger' },
      M: { type: 'append', position: [0, -100] },
    });
    expect((await runGraph(graph)).order).toEqual(['T', 'M', 'Late']);
  });

  test('are released in order of depth, so that one can feed the next', async () => {
    const graph = graphOf(['T -> M2:1', 'T -> M1:0', 'T -> D', 'D -> M1:1', 'M1 -> M2:0'], {
      T: trigger,
      D: { type: 'drop' },
      M1: { type: 'append' },
      M2: { type: 'append' },
    });
    const { order, json } = await runGraph(graph);
    expect(order).toEqual(['T', 'D', 'M1', 'M2']);
    expect(json('M2')).toHaveLength(2);
  });

  test('run at the first arrival if their type requires only one input', async () => {
    const graph = graphOf(['T -> A', 'T -> B', 'A -> M:0', 'B -> M:1'], { T: trigger, M: { type: 'first-come' } });
    expect((await runGraph(graph)).order).toEqual(['T', 'A', 'M', 'B', 'M']);
  });
});

describe('loops', () => {
  test('a merge in a loop runs in each iteration', async () => {
    const graph = graphOf(['T -> L', 'L:1 -> A', 'L:1 -> B', 'A -> M:0', 'B -> M:1', 'M -> L', 'L:0 -> Done'], {
      T: trigger,
      L: { type: 'loop', parameters: { rounds: 2 } },
      M: { type: 'append' },
    });
    const { order, runData } = await runGraph(graph);
    expect(order).toEqual(['T', 'L', 'A', 'B', 'M', 'L', 'A', 'B', 'M', 'L', 'Done']);
    expect(runData['A']?.[1]?.source).toEqual([{ previousNode: 'L', previousNodeOutput: 1, previousNodeRun: 1 }]);
  });

  test('a merge at the entry of a loop runs with the items that enter the loop', async () => {
    const graph = graphOf(['T -> M:0', 'M -> L', 'L:1 -> M:1', 'L:0 -> Done'], {
      T: trigger,
      M: { type: 'append' },
      L: { type: 'loop', parameters: { rounds: 1 } },
    });
    expect((await runGraph(graph)).order).toEqual(['T', 'M', 'L', 'M', 'L', 'Done']);
  });

  test('a cancellation stops an endless loop of nodes that never wait', async () => {
    const abort = new AbortController();
    let runs = 0;
    const nodeFinished = () => {
      runs += 1;
      if (runs === 2) setTimeout(() => abort.abort(new ExecutionAborted('canceled')), 30);
    };
    const graph = graphOf(['T -> P', 'P -> P'], { T: trigger, P: { type: 'pass' } });
    const run = runGraph(graph, { signal: abort.signal, recorder: { nodeFinished } });
    expect((await run).outcome).toMatchObject({ status: 'aborted', lastNodeExecuted: 'P' });
  });
});

describe('failures', () => {
  test('a failed node ends the run with the error and the node', async () => {
    const { outcome, runData, order } = await runGraph(graphOf(['T -> F', 'F -> After'], { T: trigger, F: { type: 'flaky' } }));
    const error = {
      message: 'broken',
      name: 'NodeOperationError',
      code: 'NODE_OPERATION_ERROR',
      node: 'F',
      itemIndex: 0,
      description: 'try another',
    };
    expect(outcome).toEqual({ status: 'error', error, lastNodeExecuted: 'F' });
    expect(order).toEqual(['T', 'F']);
    expect(runData['F']?.[0]).toMatchObject({ executionStatus: 'error', error, source: [{ previousNode: 'T' }] });
    expect(runData['F']?.[0]).not.toHaveProperty('data');
  });

  const unknown = [
    [{ type: 'acme.rocket' }, 'UNKNOWN_NODE_TYPE', 'node "X" has the unknown type "acme.rocket"'],
    [{ type: 'pass', typeVersion: 9 }, 'UNKNOWN_NODE_TYPE_VERSION', 'node "X" has version 9 of type "base.pass", which has 1'],
  ] as const;

  test.each(unknown)(
    '%j ends the run with an error that names node and type, with a hint, and without a retry',
    async (node, code, message) => {
      const graph = graphOf(['T -> X'], { T: trigger, X: { ...node, retryOnFail: true, waitBetweenTries: 5_000 } });
      const { outcome } = await runGraph(graph);
      const error = { message, code, node: 'X', description: expect.any(String) };
      expect(outcome).toMatchObject({ status: 'error', error });
    },
  );

  test.each(unknown)('onError applies to %j', async (node, code, message) => {
    const edges = ['T -> X', 'X -> Good', 'X:1 -> Bad'];
    const runWith = (onError: 'continueRegularOutput' | 'continueErrorOutput') =>
      runGraph(graphOf(edges, { T: trigger, X: { ...node, onError }, Good: { type: 'pass' }, Bad: { type: 'pass' } }));
    const regular = await runWith('continueRegularOutput');
    expect(regular.outcome.status).toBe('success');
    expect(regular.json('Good')).toEqual([{}]);
    expect(regular.runData['X']?.[0]?.error).toMatchObject({ code });
    const split = await runWith('continueErrorOutput');
    expect(split.json('Bad')).toEqual([{ error: message }]);
    expect(split.order).not.toContain('Good');
  });

  test('an error of the recorder ends the run and reaches the caller', async () => {
    const recorder = { nodeFinished: () => Promise.reject(new Error('lost')) };
    await expect(runGraph(graphOf(['T -> A'], { T: trigger }), { recorder })).rejects.toThrow('lost');
  });

  test('no node starts before the recorder has accepted the previous run', async () => {
    const seen: string[] = [];
    const engine = testEngine();
    engine.types.set(
      'base.note',
      testType('note', () => {
        seen.push('second starts');
        return [[]];
      }),
    );
    const recorder = {
      nodeFinished: async ({ nodeName }: { nodeName: string }) => {
        await delay(5);
        seen.push(`${nodeName} recorded`);
      },
    };
    await runGraph(graphOf(['T -> N'], { T: trigger, N: { type: 'note' } }), { recorder }, engine);
    expect(seen).toEqual(['T recorded', 'second starts', 'N recorded']);
  });
});

describe('before a node starts, the recorder is notified whether it may have external effects', () => {
  const computing = { type: 'computing' };
  const disabled = { type: 'acting', disabled: true };

  function actingEngine() {
    const engine = testEngine();
    const executed: string[] = [];
    const execute = ({ node }: ExecuteContext) => {
      executed.push(node.name);
      return [asItems({})];
    };
    for (const [name, traits] of Object.entries({
      acting: {},
      computing: { computesOnly: true },
      saidToAct: { computesOnly: false },
    })) {
      const type = testType(name, execute, traits);
      engine.types.set(`base.${name}`, type);
    }
    return { engine, executed };
  }

  /** The `nodeStarted` notifications of a run, by node. */
  async function startsOf(graph: WorkflowGraph, overrides: Partial<RunRequest> = {}) {
    const seen: [string, boolean][] = [];
    const recorder = {
      nodeStarted: ({ nodeName, mayAct }: NodeStart) => void seen.push([nodeName, mayAct]),
      nodeFinished: () => undefined,
    };
    await runGraph(graph, { recorder, ...overrides }, actingEngine().engine);
    return seen;
  }

  test('external effects are assumed unless the type excludes them', async () => {
    const nodes = {
      T: computing,
      A: { type: 'acting' },
      C: computing,
      S: { type: 'saidToAct' },
      Unknown: { type: 'acme.unknown' },
    };
    expect(await startsOf(graphOf(['T -> A', 'A -> C', 'C -> S', 'S -> Unknown'], nodes))).toEqual([
      ['T', false],
      ['A', true],
      ['C', false],
      ['S', true],
      ['Unknown', false],
    ]);
  });

  test('a node that is not executed has no effects: a disabled node, a pinned node in a manual run, or a trigger with given items', async () => {
    const pinned = { pinData: { Pinned: [{ json: {} }] } };
    const graph = graphOf(
      ['T -> Off', 'Off -> Pinned'],
      { T: { type: 'acting' }, Off: disabled, Pinned: { type: 'acting' } },
      pinned,
    );
    const start = { trigger: { node: 'T', items: asItems({}), output: 0 } };
    expect(await startsOf(graph, { start })).toEqual([
      ['T', false],
      ['Off', false],
      ['Pinned', false],
    ]);
    expect(await startsOf(graph, { mode: 'trigger' })).toEqual([
      ['T', true],
      ['Off', false],
      ['Pinned', true],
    ]);
  });

  test('a node starts only after the recorder resolves, and does not start if it rejects', async () => {
    const { engine, executed } = actingEngine();
    const graph = graphOf(['T -> A'], { T: computing, A: { type: 'acting' } });
    const nodeFinished = () => undefined;
    const late = async ({ nodeName }: NodeStart) => {
      await delay(5);
      executed.push(`${nodeName} may begin`);
    };
    await runGraph(graph, { recorder: { nodeStarted: late, nodeFinished } }, engine);
    expect(executed.splice(0)).toEqual(['T may begin', 'T', 'A may begin', 'A']);

    const refuse = ({ mayAct }: NodeStart) => (mayAct ? Promise.reject(new Error('lost')) : undefined);
    await expect(runGraph(graph, { recorder: { nodeStarted: refuse, nodeFinished } }, engine)).rejects.toThrow('lost');
    expect(executed).toEqual(['T']);
  });
});

describe('abort', () => {
  test('ends the run immediately even if the node ignores the signal, and records nothing', async () => {
    const abort = new AbortController();
    const reason = new ExecutionAborted('canceled');
    const engine = testEngine();
    engine.types.set(
      'base.deaf',
      testType('deaf', () => {
        setTimeout(() => abort.abort(reason), 1);
        return new Promise<never>(() => {});
      }),
    );
    const graph = graphOf(['T -> H', 'H -> After'], { T: trigger, H: { type: 'deaf', onError: 'continueRegularOutput' } });
    const { outcome, order } = await runGraph(graph, { signal: abort.signal }, engine);
    expect(outcome).toEqual({ status: 'aborted', reason, lastNodeExecuted: 'H' });
    expect(order).toEqual(['T']);
  });

  test('runs nothing if the signal fired before the start', async () => {
    const { outcome, order } = await runGraph(graphOf(['T -> A'], { T: trigger }), { signal: AbortSignal.abort('no') });
    expect(outcome).toEqual({ status: 'aborted', reason: 'no' });
    expect(order).toEqual([]);
  });

  test('a node that ends while the signal fires is not recorded', async () => {
    const abort = new AbortController();
    const engine = testEngine();
    engine.types.set(
      'base.self',
      testType('self', () => {
        abort.abort('stop');
        return [asItems({})];
      }),
    );
    const { order } = await runGraph(
      graphOf(['T -> S'], { T: trigger, S: { type: 'self' } }),
      { signal: abort.signal },
      engine,
    );
    expect(order).toEqual(['T']);
  });

  test('does not wait for the recorder', async () => {
    const abort = new AbortController();
    const nodeFinished = () => {
      setTimeout(() => abort.abort('stop'), 1);
      return new Promise<void>(() => {});
    };
    const recorder = { nodeFinished };
    const { outcome } = await runGraph(graphOf(['T -> A'], { T: trigger }), { signal: abort.signal, recorder });
    expect(outcome).toMatchObject({ status: 'aborted', lastNodeExecuted: 'T' });
  });

  test('interrupts the wait between two tries', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort('stop'), 10);
    const graph = graphOf(['T -> F'], { T: trigger, F: { type: 'flaky', retryOnFail: true, waitBetweenTries: 5_000 } });
    expect((await runGraph(graph, { signal: abort.signal })).outcome.status).toBe('aborted');
  });
});

describe('replay', () => {
  const graph = graphOf(['T -> A', 'A -> F', 'F -> End'], { T: trigger, F: { type: 'flaky', parameters: { times: 1 } } });

  test('completed runs are not executed or reported again', async () => {
    const engine = testEngine();
    const failed = await runGraph(graph, { executionId: 'same' }, engine);
    expect(failed.order).toEqual(['T', 'A', 'F']);
    const done = failed.records.filter(({ run }) => run.executionStatus === 'success');
    const again = await runGraph(graph, { executionId: 'same', done }, engine);
    expect(again.outcome).toEqual({ status: 'success', lastNodeExecuted: 'End' });
    expect(again.order).toEqual(['F', 'End']);
    expect(again.json('End')).toEqual([{ via: ['A', 'End'] }]);
  });

  test('completed runs are not started again', async () => {
    const { records } = await runGraph(graphOf(['T -> A'], { T: trigger }));
    const seen: string[] = [];
    const recorder = {
      nodeStarted: ({ nodeName, runIndex }: NodeStart) => void seen.push(`${nodeName} ${runIndex} begins`),
      nodeFinished: ({ nodeName }: { nodeName: string }) => void seen.push(`${nodeName} ends`),
    };
    await runGraph(graphOf(['T -> A', 'A -> End'], { T: trigger }), { done: records, recorder });
    expect(seen).toEqual(['End 0 begins', 'End ends']);
  });

  test('a record without its data is executed again', async () => {
    const { records } = await runGraph(graphOf(['T -> A'], { T: trigger }));
    const done = records.map((record) => ({ ...record, run: { ...record.run, truncated: true } }));
    expect((await runGraph(graphOf(['T -> A'], { T: trigger }), { done })).order).toEqual(['T', 'A']);
  });
});

test('the parameters of a graph that runs twice are compiled once', async () => {
  const engine = testEngine();
  const graph = graphOf(['T -> A', 'A -> A2'], { T: trigger });
  await runGraph(graph, {}, engine);
  await runGraph(graph, {}, engine);
  expect(engine.sandbox.compiledCount).toBe(3);
});

test('an endless loop stops at the limit of node runs, and the error names the node that would run next', async () => {
  const graph = graphOf(['T -> A', 'A -> B', 'B -> A'], { T: { type: 'manual-trigger' } });
  const { outcome, records } = await runGraph(graph, { maxNodeRuns: 1_000 });
  expect(outcome).toMatchObject({ status: 'error', lastNodeExecuted: 'A', error: { code: 'TOO_MANY_NODE_RUNS', node: 'B' } });
  expect(records).toHaveLength(1_000);
});

/** CPU milliseconds of this thread, which do not depend on other load. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

test('a tight loop lets timers run within a few slices', async () => {
  const graph = graphOf(['T -> A', 'A -> B', 'B -> A'], {
    T: { type: 'manual-trigger' },
    A: { type: 'pass' },
    B: { type: 'pass' },
  });
  const abort = new AbortController();
  const lags: number[] = [];
  let last = processorMs();
  const timer = setInterval(() => {
    lags.push(processorMs() - last);
    last = processorMs();
    if (lags.length === 20) abort.abort();
  }, 5);
  const recorder = { nodeFinished: () => undefined };
  const runs = Array.from({ length: 3 }, () => runGraph(graph, { recorder, signal: abort.signal }));
  for (const { outcome } of await Promise.all(runs)) expect(outcome.status).toBe('aborted');
  clearInterval(timer);
  expect(lags.toSorted((a, b) => a - b)[10]).toBeLessThan(1_000);
});
