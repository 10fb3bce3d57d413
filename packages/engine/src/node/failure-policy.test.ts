import { describe, expect, test } from '@jest/globals';
import { failedItem, NodeApiError } from '@sluice/node-sdk';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { pairsOf, run } from '../testing/run-three-items.ts';
import { testType } from '../testing/test-nodes.ts';

const trigger = { type: 'manual-trigger' };

describe('onError', () => {
  test('stops by default', async () => {
    expect((await run({ type: 'picky' })).outcome).toMatchObject({ status: 'error', error: { itemIndex: 1, node: 'X' } });
  });

  test('continueRegularOutput passes all input items through unchanged when the node fails as a whole', async () => {
    const { json, runData, outcome } = await run({ type: 'flaky', onError: 'continueRegularOutput' });
    expect(json('X')).toEqual([{ id: 1 }, { id: 2, bad: true }, { id: 3 }]);
    expect(pairsOf(runData)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    expect(runData['X']?.[0]).toMatchObject({ executionStatus: 'success', error: { message: 'broken', node: 'X' } });
    expect(outcome.status).toBe('success');
  });

  test('continueOnFail is the older name of continueRegularOutput', async () => {
    expect((await run({ type: 'flaky', continueOnFail: true })).json('X')).toHaveLength(3);
  });

  test('a failed node with several inputs passes through the items of the first input that has items', async () => {
    const edges = ['T -> E', 'E:0 -> X:0', 'E:0 -> D', 'D -> X:1'];
    const nodes = { T: trigger, E: { type: 'emit' }, X: { type: 'wide-flaky', onError: 'continueRegularOutput' } } as const;
    const engine = testEngine();
    const fails = () => {
      throw new Error('no');
    };
    engine.types.set('base.wide-flaky', testType('wide-flaky', fails, { inputs: 2 }));
    const both = await runGraph(graphOf(edges, { ...nodes, D: {} }), {}, engine);
    expect(both.json('X')).toEqual(both.json('E'));
    const second = await runGraph(graphOf(['T -> E', 'E:0 -> X:1'], nodes), {}, engine);
    expect(second.json('X')).toEqual(second.json('E'));
    expect(pairsOf(second.runData)).toEqual([{ item: 0, input: 1 }]);
  });

  test('executeOnce does not drop items when the node fails as a whole', async () => {
    const node = { type: 'flaky', executeOnce: true, onError: 'continueRegularOutput' } as const;
    expect((await run(node)).json('X')).toHaveLength(3);
  });

  test('continueErrorOutput sends the items with the error to the output after the described outputs', async () => {
    const { json, order } = await run({ type: 'flaky', onError: 'continueErrorOutput' });
    expect(json('X', 0, 1)).toEqual([
      { id: 1, error: 'broken' },
      { id: 2, bad: true, error: 'broken' },
      { id: 3, error: 'broken' },
    ]);
    expect(order).toEqual(['T', 'X', 'Errors']);
  });

  test('items that the node marked as failed stay with the other items', async () => {
    const { json } = await run({ type: 'picky', onError: 'continueRegularOutput' });
    expect(json('X')).toEqual([{ id: 1 }, { error: 'bad item' }, { id: 3 }]);
  });

  test('items that the node marked as failed go to the error output, with their input data', async () => {
    const { json, runData } = await run({ type: 'picky', onError: 'continueErrorOutput' });
    expect(json('X')).toEqual([{ id: 1 }, { id: 3 }]);
    expect(json('X', 0, 1)).toEqual([{ id: 2, bad: true, error: 'bad item' }]);
    expect(runData['X']?.[0]?.data?.['main']?.[1]?.[0]?.pairedItem).toEqual({ item: 1 });
  });

  test('the error response of a service is an object with its status', async () => {
    const engine = testEngine();
    const details = { status: 404, body: 'gone' };
    const refused = () => {
      throw new NodeApiError('the service returned 404', { details });
    };
    engine.types.set('base.refused', testType('refused', refused));
    const error = {
      ...details,
      message: 'the service returned 404',
      name: 'NodeApiError',
      code: 'NODE_API_ERROR',
      httpCode: '404',
    };
    const apart = await run({ type: 'refused', onError: 'continueErrorOutput' }, 'manual', engine);
    expect(apart.json('X', 0, 1)[0]).toEqual({ id: 1, error });
  });

  test('a failed item keeps its error value on the error output', async () => {
    const engine = testEngine();
    const failing = testType('failing', () => [[failedItem(new Error('no'), 1, { message: 'no', status: 500 })]]);
    engine.types.set('base.failing', failing);
    const { json } = await run({ type: 'failing', onError: 'continueErrorOutput' }, 'manual', engine);
    expect(json('X', 0, 1)).toEqual([{ id: 2, bad: true, error: { message: 'no', status: 500 } }]);
  });

  test('items that consist only of an error and a message go to the error output, with the data of their input item', async () => {
    const engine = testEngine();
    const reporting = testType('reporting', () => [
      [
        { json: { error: 'no' }, pairedItem: { item: 1 } },
        { json: { message: 'why', error: { status: 500 } } },
        { json: { error: 'no', id: 4 } },
        { json: { error: '' } },
        { json: { message: 'no error' } },
      ],
    ]);
    engine.types.set('base.reporting', reporting);
    const apart = await run({ type: 'reporting', onError: 'continueErrorOutput' }, 'manual', engine);
    expect(apart.json('X')).toEqual([{ error: 'no', id: 4 }, { error: '' }, { message: 'no error' }]);
    expect(apart.json('X', 0, 1)).toEqual([
      { id: 2, bad: true, error: 'no' },
      { message: 'why', error: { status: 500 } },
    ]);
    const together = await run({ type: 'reporting', onError: 'continueRegularOutput' }, 'manual', engine);
    expect(together.json('X')).toHaveLength(5);
  });

  describe('failing code that runs once for all items', () => {
    const fails = (onError: 'continueRegularOutput' | 'continueErrorOutput') => {
      const engine = testEngine();
      engine.sandbox.runCodeWith = () => Promise.reject(new Error('boom'));
      return run({ type: 'code', onError }, 'manual', engine);
    };

    test('passes its items through unchanged', async () => {
      const { json, runData } = await fails('continueRegularOutput');
      expect(json('X')).toHaveLength(3);
      expect(json('X')[0]).toEqual({ id: 1 });
      expect(pairsOf(runData, 0)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
      expect(runData['X']?.[0]).toMatchObject({ executionStatus: 'success', error: { message: 'boom' } });
    });

    test('emits one item for all items on its error output', async () => {
      const { json, runData } = await fails('continueErrorOutput');
      expect(json('X', 0, 1)).toEqual([{ error: 'boom' }]);
      expect(pairsOf(runData, 1)).toEqual([[{ item: 0 }, { item: 1 }, { item: 2 }]]);
    });
  });

  test('a node that stops on purpose is not retried', async () => {
    const { outcome } = await run({ type: 'stop', retryOnFail: true, waitBetweenTries: 5_000 });
    expect(outcome).toMatchObject({ status: 'error', error: { message: 'halt', code: 'STOP_AND_ERROR' } });
  });

  test.each([{ onError: 'continueRegularOutput' }, { continueOnFail: true }] as const)(
    'a node that stops on purpose passes its items through with %j',
    async (options) => {
      const { outcome, json } = await run({ type: 'stop', ...options });
      expect(outcome.status).toBe('success');
      expect(json('Out')).toHaveLength(3);
    },
  );
});

describe('retryOnFail', () => {
  test('tries three times by default', async () => {
    const twice = { type: 'flaky', retryOnFail: true, waitBetweenTries: 0 };
    expect((await run({ ...twice, parameters: { times: 2 } })).outcome.status).toBe('success');
    expect((await run({ ...twice, parameters: { times: 3 } })).outcome.status).toBe('error');
  });

  test('the run lists the tries before the last one', async () => {
    const { runData } = await run({ type: 'flaky', retryOnFail: true, waitBetweenTries: 0, parameters: { times: 2 } });
    const failed = {
      startTime: expect.any(Number),
      executionTime: expect.any(Number),
      message: 'broken',
    };
    expect(runData['X']?.[0]?.metadata).toEqual({ failedTries: [failed, failed] });
  });

  test('limits the number of tries to between two and five', async () => {
    const node = { type: 'flaky', retryOnFail: true, waitBetweenTries: 0 };
    expect((await run({ ...node, maxTries: 99, parameters: { times: 5 } })).outcome.status).toBe('error');
    expect((await run({ ...node, maxTries: 1, parameters: { times: 1 } })).outcome.status).toBe('success');
  });

  test('a node can continue with failed items only in its last try', async () => {
    const engine = testEngine();
    const allowed: boolean[] = [];
    engine.types.set(
      'base.probe',
      testType('probe', ({ continueOnFail }) => {
        allowed.push(continueOnFail);
        throw new Error('no');
      }),
    );
    await run(
      { type: 'probe', retryOnFail: true, maxTries: 2, waitBetweenTries: 0, onError: 'continueErrorOutput' },
      'manual',
      engine,
    );
    expect(allowed).toEqual([false, true]);
  });
});
