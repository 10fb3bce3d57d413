import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { type ExecuteContext, NodeOperationError, type NodeType, type ResumeEvent } from '@sluice/node-sdk';
import type { RunOutcome, RunRequest } from './ports.ts';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

const time: ResumeEvent = { kind: 'time' };

/** Suspends until a time, then emits the event with the number of its executions and resumes. */
function waiter(onResume: (event: ResumeEvent) => void = () => {}) {
  const calls = { executed: 0, resumed: 0 };
  const type: NodeType = {
    ...testType('waiter', (context) => {
      calls.executed += 1;
      context.suspend({ kind: 'time', at: 5 });
      return [asItems({ left: 'aside' })];
    }),
    resume(context, event) {
      calls.resumed += 1;
      onResume(event);
      return [context.items().map(({ json }) => ({ json: { ...json, at: context.parameter('at', 0) } }))];
    },
  };
  const engine = testEngine();
  engine.types.set('base.waiter', type);
  return { engine, calls };
}

const graph = graphOf(['Start -> A', 'A -> Wait', 'Wait -> B'], {
  Start: { type: 'manual-trigger' },
  Wait: { type: 'waiter' },
});

function resumedFrom(outcome: RunOutcome, event: ResumeEvent = time): NonNullable<RunRequest['resumed']> {
  if (outcome.status !== 'waiting') throw new Error(`the run is ${outcome.status}`);
  return { ...outcome.suspended, event };
}

describe('a node that suspends its run', () => {
  test.each([1e308, Number.NaN, Date.UTC(10_000, 0, 1), undefined as unknown as number])('until %p fails', async (at) => {
    const engine = testEngine();
    const type = testType('waiter', (context) => {
      context.suspend({ kind: 'time', at });
      return [];
    });
    engine.types.set('base.waiter', { ...type, resume: () => [] });
    const { outcome } = await runGraph(graph, {}, engine);
    const message = expect.stringMatching(/^a wait must end before the year 10,000/);
    expect(outcome).toMatchObject({ status: 'error', error: { message, node: 'Wait' } });
  });

  test('ends the run as waiting: its node run is not recorded, and no later node runs', async () => {
    const { engine } = waiter();
    const { outcome, order } = await runGraph(graph, {}, engine);
    expect(outcome).toMatchObject({
      status: 'waiting',
      suspension: { kind: 'time', at: 5 },
      suspended: { nodeName: 'Wait', runIndex: 0, tryNumber: 1 },
      lastNodeExecuted: 'Wait',
    });
    expect(order).toEqual(['Start', 'A']);
  });

  test('resumes with the same items, without running earlier nodes again, and its run time includes the wait', async () => {
    const { engine, calls } = waiter();
    const before = await runGraph(graph, {}, engine);
    const resumed = { ...resumedFrom(before.outcome), startTime: 1_000 };
    const after = await runGraph(graph, { done: before.records, resumed }, engine);
    expect(after.outcome.status).toBe('success');
    expect(after.order).toEqual(['Wait', 'B']);
    expect(after.json('B')).toEqual([{ via: ['A', 'B'] }]);
    expect(after.runData['Wait']?.[0]?.startTime).toBe(1_000);
    expect(calls).toEqual({ executed: 1, resumed: 1 });
  });

  test('resumes each of its runs in a loop separately', async () => {
    const { engine } = waiter();
    const loop = graphOf(['Start -> Wait', 'Wait -> Again', 'Again:1 -> Wait', 'Again:0 -> End'], {
      Start: { type: 'manual-trigger' },
      Wait: { type: 'waiter' },
      Again: { type: 'loop', parameters: { rounds: 2 } },
    });
    let run = await runGraph(loop, {}, engine);
    const done = [...run.records];
    const runs: number[] = [];
    while (run.outcome.status === 'waiting') {
      const resumed = resumedFrom(run.outcome);
      runs.push(resumed.runIndex);
      run = await runGraph(loop, { done: [...done], resumed }, engine);
      done.push(...run.records);
    }
    expect(runs).toEqual([0, 1, 2]);
    expect(done.map(({ nodeName }) => nodeName).filter((name) => name === 'Wait')).toHaveLength(3);
    expect(run.outcome.status).toBe('success');
  });

  test.each([
    ['stopWorkflow', 'error', undefined],
    ['continueRegularOutput', 'success', [{ via: ['A'] }]],
  ] as const)('that fails when it resumes follows its onError: %s', async (onError, status, output) => {
    const { engine } = waiter(() => {
      throw new NodeOperationError('the other failed');
    });
    const failing = { ...graph, nodes: graph.nodes.map((node) => (node.name === 'Wait' ? { ...node, onError } : node)) };
    const before = await runGraph(failing, {}, engine);
    const after = await runGraph(failing, { done: before.records, resumed: resumedFrom(before.outcome) }, engine);
    expect(after.outcome.status).toBe(status);
    expect(after.runData['Wait']?.[0]?.data?.['main']?.[0]?.map(({ json }) => json)).toEqual(output);
  });

  test('is executed again if it has tries left, which are counted across the wait', async () => {
    const { engine, calls } = waiter(() => {
      throw new NodeOperationError('the other failed');
    });
    const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
    const failing = { ...graph, nodes: graph.nodes.map((node) => (node.name === 'Wait' ? { ...node, ...retried } : node)) };
    const first = await runGraph(failing, {}, engine);
    const second = await runGraph(failing, { done: first.records, resumed: resumedFrom(first.outcome) }, engine);
    expect(second.outcome).toMatchObject({ status: 'waiting', suspended: { tryNumber: 2 } });
    const third = await runGraph(failing, { done: first.records, resumed: resumedFrom(second.outcome) }, engine);
    expect(third.outcome).toMatchObject({ status: 'error', error: { message: 'the other failed' } });
    expect(calls).toEqual({ executed: 2, resumed: 2 });
  });

  test('fails if it cannot resume', async () => {
    const engine = testEngine();
    engine.types.set(
      'base.waiter',
      testType('waiter', (context) => {
        context.suspend({ kind: 'time', at: 5 });
        return [];
      }),
    );
    const { outcome } = await runGraph(graph, {}, engine);
    expect(outcome).toMatchObject({ status: 'error', error: { code: 'NOT_RESUMABLE' } });
  });

  test('does not wait if its execution was stopped', async () => {
    const { engine } = waiter();
    const controller = new AbortController();
    engine.types.set('base.tag', {
      ...testType('tag', () => {
        controller.abort(new Error('canceled'));
        return [asItems({})];
      }),
    });
    const { outcome } = await runGraph(graph, { signal: controller.signal }, engine);
    expect(outcome.status).toBe('aborted');
  });
});

describe('a run that calls a trigger', () => {
  const called = (items: JsonObject[]) => ({
    start: { trigger: { type: 'execute-workflow-trigger' as const, items: asItems(...items) } },
  });
  const callTrigger = testType('execute-workflow-trigger', (context) => [[...context.items()]], {
    group: ['trigger'],
    inputs: 0,
  });

  test('starts at the trigger of that type, with the items', async () => {
    const engine = testEngine();
    engine.types.set('base.execute-workflow-trigger', callTrigger);
    const graph = graphOf(['Start -> A', 'Called -> B'], {
      Start: { type: 'manual-trigger' },
      Called: { type: 'execute-workflow-trigger' },
    });
    const { order, json } = await runGraph(graph, called([{ n: 1 }, { n: 2 }]), engine);
    expect(order).toEqual(['Called', 'B']);
    expect(json('Called')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('starts at the trigger with that name, which transforms the items', async () => {
    const engine = testEngine();
    const clock = (context: ExecuteContext) => [context.items().map(({ json }) => ({ json: { at: json['tick'] ?? null } }))];
    engine.types.set('base.clock', testType('clock', clock, { group: ['trigger'], inputs: 0 }));
    const graph = graphOf(['Start -> A', 'First -> B', 'Second -> C'], {
      Start: { type: 'manual-trigger' },
      First: { type: 'clock' },
      Second: { type: 'clock' },
    });
    const start = { trigger: { node: 'Second', items: asItems({ tick: 5 }) } };
    const { order, json } = await runGraph(graph, { start }, engine);
    expect([order, json('Second')]).toEqual([['Second', 'C'], [{ at: 5 }]]);
    const nowhere = { start: { trigger: { node: 'Third', items: [] } } };
    expect((await runGraph(graph, nowhere, engine)).outcome).toMatchObject({ error: { code: 'INVALID_START' } });
  });

  test('starts at the output of a trigger that is not executed, with the items on that output', async () => {
    const engine = testEngine();
    const never = () => {
      throw new Error('executed');
    };
    const hook = testType('hook', never, { group: ['trigger'], inputs: 0 });
    engine.types.set('base.hook', { ...hook, outputs: () => ['main', 'main'] });
    const graph = graphOf(['Hook:0 -> A', 'Hook:1 -> B'], { Hook: { type: 'hook' } });
    const start = { trigger: { node: 'Hook', output: 1, items: asItems({ body: 5 }) } };
    const { order, json } = await runGraph(graph, { start }, engine);
    expect([order, json('B')]).toEqual([['Hook', 'B'], [{ body: 5, via: ['B'] }]]);
  });

  test('starts at the manual trigger, which outputs the items, if there is no such trigger', async () => {
    const graph = graphOf(['Start -> A'], { Start: { type: 'manual-trigger' } });
    const { json } = await runGraph(graph, called([{ n: 1 }]));
    expect(json('Start')).toEqual([{ n: 1 }]);
  });

  test('ends with an error if it has no start node', async () => {
    const { outcome } = await runGraph(graphOf(['A -> B']), called([{}]));
    expect(outcome).toMatchObject({ status: 'error', error: { code: 'INVALID_START' } });
    const errorStart = { start: { trigger: { type: 'error-trigger' as const, items: asItems({}) } } };
    const manual = graphOf(['Start -> A'], { Start: { type: 'manual-trigger' } });
    expect((await runGraph(manual, errorStart)).outcome).toMatchObject({ status: 'error', error: { code: 'INVALID_START' } });
  });
});
