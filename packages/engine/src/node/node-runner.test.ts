import { describe, expect, jest, test } from '@jest/globals';
import type { RunData } from '@sluice/domain';
import {
  type BinaryAccess,
  type ExecuteContext,
  failedItem,
  type JsonObject,
  NodeApiError,
  type NodeOutput,
} from '@sluice/node-sdk';
import type { NodeSpec } from '../testing/run-graph.ts';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

const trigger = { type: 'manual-trigger' };
const pinnedTrigger = { T: asItems({ id: 1 }, { id: 2, bad: true }, { id: 3 }) };

/** Sends three items to `X`, whose outputs lead to `Out` and `Errors`. */
function run(x: NodeSpec, mode: 'manual' | 'trigger' = 'manual', engine = testEngine()) {
  const graph = graphOf(['T -> X', 'X:0 -> Out', 'X:1 -> Errors'], { T: trigger, X: x }, { pinData: pinnedTrigger });
  return runGraph(graph, { mode }, engine);
}

/** `pairedItem` of the items that `X` emitted on one output. */
function pairsOf(runData: RunData, output = 0) {
  return runData['X']?.[0]?.data?.['main']?.[output]?.map(({ pairedItem }) => pairedItem);
}

describe('a node that is not executed', () => {
  test('a disabled node passes through the items of its first input, with pairing', async () => {
    const { json, runData } = await run({ type: 'drop', disabled: true });
    expect(json('Out').map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(runData['X']?.[0]?.data?.['main']?.[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      { item: 0 },
      { item: 1 },
      { item: 2 },
    ]);
  });

  test('a disabled node with several inputs passes through all items of the first, with pairing, even with executeOnce', async () => {
    const graph = graphOf(['T -> X:0', 'T -> X:1', 'X -> Out'], {
      T: trigger,
      X: { type: 'append', disabled: true, executeOnce: true },
      Out: { parameters: { tag: '={{ $("T").item.json.id }}' } },
    });
    const { json } = await runGraph({ ...graph, pinData: pinnedTrigger });
    expect(json('Out').map(({ via }) => via)).toEqual([[1], [2], [3]]);
  });

  test('a disabled node of an unknown type is not an error', async () => {
    expect((await run({ type: 'acme.rocket', disabled: true })).outcome.status).toBe('success');
  });

  test('a pinned plain object becomes the JSON of an item', async () => {
    const bare = { T: [{ id: 1, json: 'text' }, { json: { id: 2 } }] };
    const { json } = await runGraph(graphOf(['T -> Out'], {}, { pinData: bare }));
    expect(json('Out')).toMatchObject([{ id: 1, json: 'text' }, { id: 2 }]);
  });

  test('pinned items replace a run only in manual mode', async () => {
    expect((await run({})).json('T')).toHaveLength(3);
    expect((await run({}, 'trigger')).json('T')).toEqual([{}]);
  });
});

describe('options of a node', () => {
  test('executeOnce passes only the first item to the node', async () => {
    expect((await run({ executeOnce: true })).json('X')).toEqual([{ id: 1, via: ['X'] }]);
  });

  test('with executeOnce, code for the single item can read all items that arrived', async () => {
    const engine = testEngine();
    engine.sandbox.runCodeWith = ({ scope }) =>
      Promise.resolve({ items: [{ json: { taken: scope.itemCount ?? null, seen: scope.items.length } }], logs: [] });
    const { json } = await run({ type: 'code', executeOnce: true }, 'manual', engine);
    expect(json('X')).toEqual([{ taken: 1, seen: 3 }]);
  });

  test('with executeOnce, items that code creates from all items that arrived are paired one to one', async () => {
    const engine = testEngine();
    engine.sandbox.runCodeWith = ({ scope }) => Promise.resolve({ items: scope.items.map(({ json }) => ({ json })), logs: [] });
    const { runData } = await run({ type: 'code', executeOnce: true }, 'manual', engine);
    expect(pairsOf(runData)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });

  test('alwaysOutputData adds one empty item to an empty first output', async () => {
    const { json, order, runData } = await run({ type: 'drop', alwaysOutputData: true });
    expect(json('X')).toEqual([{}]);
    expect(pairsOf(runData)).toEqual([[{ item: 0 }, { item: 1 }, { item: 2 }]]);
    expect(order).toContain('Out');
  });

  test('alwaysOutputData adds the item even when another output has items', async () => {
    const { order } = await run({ type: 'route', alwaysOutputData: true });
    expect(order).toEqual(['T', 'X', 'Out', 'Errors']);
  });

  test('alwaysOutputData adds the item when the node fails as a whole and its items go to the error output', async () => {
    const { json, order } = await run({ type: 'flaky', alwaysOutputData: true, onError: 'continueErrorOutput' });
    expect(json('X')).toEqual([{}]);
    expect(json('X', 0, 1)).toHaveLength(3);
    expect(order).toEqual(['T', 'X', 'Out', 'Errors']);
  });
});

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

describe('type versions', () => {
  async function versionOf(typeVersion: number | undefined, defaultVersion?: number) {
    const engine = testEngine();
    const versions = { version: [1, 2, 3.1], ...(defaultVersion === undefined ? {} : { defaultVersion }) };
    engine.types.set(
      'base.many',
      testType('many', (context) => [asItems({ version: context.typeVersion })], versions),
    );
    return run({ type: 'many', ...(typeVersion === undefined ? {} : { typeVersion }) }, 'manual', engine);
  }

  test('a node without a version gets the default, or else the newest', async () => {
    expect((await versionOf(undefined)).json('X')).toEqual([{ version: 3.1 }]);
    expect((await versionOf(undefined, 2)).json('X')).toEqual([{ version: 2 }]);
    expect((await versionOf(1)).json('X')).toEqual([{ version: 1 }]);
  });

  test('an unknown version causes an error that names the node, type, and version', async () => {
    expect((await versionOf(9)).outcome).toMatchObject({
      error: { message: 'node "X" has version 9 of type "base.many", which has 1, 2, 3.1', node: 'X' },
    });
  });
});

describe('a missing pairedItem', () => {
  const pairsFor = async (output: NodeOutput, options: NodeSpec = {}) => {
    const engine = testEngine();
    engine.types.set(
      'base.silent',
      testType('silent', () => output),
    );
    return (await run({ type: 'silent', ...options }, 'manual', engine)).runData;
  };

  test('is the item at the same index if input and output have equal length', async () => {
    expect(pairsOf(await pairsFor([asItems({}, {}, {})]))).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });

  test('is the first input item for the only item of the only output', async () => {
    expect(pairsOf(await pairsFor([asItems({})]))).toEqual([{ item: 0 }]);
    expect(pairsOf(await pairsFor([[], asItems({})]), 1)).toEqual([undefined]);
  });

  test('stays undefined if several items become a different number of items', async () => {
    expect(pairsOf(await pairsFor([asItems({}, {})]))).toEqual([undefined, undefined]);
    expect(pairsOf(await pairsFor([asItems({}), asItems({})]))).toEqual([undefined]);
  });
});

describe('the output of a node', () => {
  const bad: [string, unknown][] = [
    ['no array', { json: {} }],
    ['an output that is no array', [{ json: {} }]],
    ['an item without json', [[{ id: 1 }]]],
    ['json that is a value', [[{ json: 5 }]]],
    ['json that is no plain object', [[{ json: new Date() }]]],
  ];
  test('can be a list instead of an object, as in older nodes', async () => {
    const engine = testEngine();
    engine.types.set(
      'base.list',
      testType('list', () => [[{ json: [1, 2] as never }]]),
    );
    expect((await run({ type: 'list' }, 'manual', engine)).json('X')).toEqual([[1, 2]]);
  });

  test.each(bad)('is rejected, naming the node, when it is %s', async (_, output) => {
    const engine = testEngine();
    engine.types.set(
      'base.odd',
      testType('odd', () => output as never),
    );
    const { outcome } = await run({ type: 'odd' }, 'manual', engine);
    expect(outcome).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_NODE_OUTPUT', node: 'X', message: expect.stringMatching(/"X"/) },
    });
  });

  test.each(['abc', -1, 1.5, true, {}, { item: 'a' }, { item: 0, input: '1' }, [0, null], [[0]]])(
    'is rejected if an item is paired with %j',
    async (pairedItem) => {
      const engine = testEngine();
      engine.types.set(
        'base.odd',
        testType('odd', () => [[{ json: {}, pairedItem: pairedItem as never }]]),
      );
      const { outcome } = await run({ type: 'odd' }, 'manual', engine);
      expect(outcome).toMatchObject({
        error: { code: 'INVALID_NODE_OUTPUT', message: expect.stringContaining('item 0 of output 0 has a `pairedItem`') },
      });
    },
  );

  test.each([0, { item: 0 }, { item: 0, input: 0, run: 0 }, [{ item: 0 }, 0], null])(
    'can pair an item with %j',
    async (pairedItem) => {
      const engine = testEngine();
      engine.types.set(
        'base.odd',
        testType('odd', () => [[{ json: {}, pairedItem: pairedItem as never }]]),
      );
      expect((await run({ type: 'odd' }, 'manual', engine)).outcome.status).toBe('success');
    },
  );

  test('files stay with their items', async () => {
    const engine = testEngine();
    const binary = { data: { id: 'f1', mimeType: 'text/plain' } };
    engine.types.set(
      'base.file',
      testType('file', () => [[{ json: {}, binary }]]),
    );
    const graph = graphOf(['F -> P', 'P -> X'], { F: { type: 'file' }, P: { type: 'pass' }, X: { disabled: true } });
    const { runData } = await runGraph(graph, {}, engine);
    expect(runData['X']?.[0]?.data?.['main']?.[0]?.[0]).toEqual({ json: {}, binary, pairedItem: { item: 0 } });
  });
});

test('files that user code creates are stored and referenced by their items', async () => {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async () => {
    const binary = {};
    const file = { target: binary, key: 'f', content: Buffer.from('hi'), description: { fileName: 'a.txt' } };
    return { items: [{ json: {}, binary }], files: [file], logs: [] };
  };
  const stored = { id: 'f1', mimeType: 'text/plain', fileName: 'a.txt' };
  const store = jest.fn<BinaryAccess['store']>(async () => stored);
  const binary = { store, read: () => Promise.reject(), open: () => Promise.reject() };
  const { runData } = await runGraph(graphOf(['T -> X'], { T: trigger, X: { type: 'code' } }), { binary }, engine);
  expect(store).toHaveBeenCalledWith(Buffer.from('hi'), { fileName: 'a.txt' });
  expect(runData['X']?.[0]?.data?.['main']?.[0]).toMatchObject([{ binary: { f: stored } }]);
});

test('user code reads files through the run', async () => {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async ({ readFile }) => {
    const content = await readFile?.({ id: 'f1', mimeType: 'text/plain' }, 10);
    return { items: [{ json: { text: String(content) } }], logs: [] };
  };
  const read = jest.fn<BinaryAccess['read']>(async () => Buffer.from('hi'));
  const binary = { read, store: () => Promise.reject(), open: () => Promise.reject() };
  const { runData } = await runGraph(graphOf(['T -> X'], { T: trigger, X: { type: 'code' } }), { binary }, engine);
  expect(read).toHaveBeenCalledWith({ id: 'f1', mimeType: 'text/plain' }, 10);
  expect(runData['X']?.[0]?.data?.['main']?.[0]).toMatchObject([{ json: { text: 'hi' } }]);
});

test('console output of user code is kept with the run, even if it fails', async () => {
  const engine = testEngine();
  engine.sandbox.runCodeWith = async ({ scope }) => ({ items: [...scope.items], logs: ['one', 'two'] });
  expect((await run({ type: 'code' }, 'manual', engine)).runData['X']?.[0]?.logs).toEqual(['one', 'two']);
  engine.sandbox.runCodeWith = () => Promise.reject(Object.assign(new Error('boom'), { logs: ['last words'] }));
  expect((await run({ type: 'code' }, 'manual', engine)).runData['X']?.[0]).toMatchObject({
    executionStatus: 'error',
    logs: ['last words'],
  });
});

describe('hints and metadata of a node run', () => {
  const noting = (execute: (context: ExecuteContext) => NodeOutput) => {
    const engine = testEngine();
    engine.types.set('base.noting', testType('noting', execute));
    return engine;
  };

  test('are kept with the run: hints in order, metadata merged by member', async () => {
    const engine = noting((context) => {
      context.addHints?.({ message: 'one', type: 'warning', location: 'outputPane' }, { message: 'two' });
      context.addHints?.({ message: 'three', type: 'loud' as 'info' });
      context.addRunMetadata?.({ a: 1, b: { c: 1 } });
      context.addRunMetadata?.({ b: 2 });
      return [[]];
    });
    const [noted] = (await run({ type: 'noting' }, 'manual', engine)).runData['X'] ?? [];
    expect(noted?.hints).toEqual([
      { message: 'one', type: 'warning', location: 'outputPane' },
      { message: 'two' },
      { message: 'three' },
    ]);
    expect(noted?.metadata).toEqual({ a: 1, b: 2 });
  });

  test('of a failed run come from its last try only', async () => {
    const engine = noting((context) => {
      context.addHints?.({ message: 'so far' });
      throw new Error('no');
    });
    const node = { type: 'noting', retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
    const [failed] = (await run(node, 'manual', engine)).runData['X'] ?? [];
    expect(failed).toMatchObject({ executionStatus: 'error', hints: [{ message: 'so far' }] });
  });

  test('are absent by default', async () => {
    const [quiet] =
      (
        await run(
          { type: 'noting' },
          'manual',
          noting(() => [[]]),
        )
      ).runData['X'] ?? [];
    expect(quiet).not.toHaveProperty('hints');
    expect(quiet).not.toHaveProperty('metadata');
  });

  test('have a maximum size', async () => {
    const engine = noting((context) => {
      context.addHints?.(...Array.from({ length: 30 }, () => ({ message: 'x'.repeat(5_000) })));
      return [[]];
    });
    const [noted] = (await run({ type: 'noting' }, 'manual', engine)).runData['X'] ?? [];
    expect(noted?.hints?.map(({ message }) => message.length)).toEqual(Array.from({ length: 20 }, () => 1_000));
  });

  const deep = JSON.parse(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`) as JsonObject;
  test.each([
    ['too large', { text: 'x'.repeat(70_000) }],
    ['nested too deep', deep],
    ['not JSON', { n: 1n as never }],
  ])('metadata that is %s fails the run', async (_, metadata) => {
    const engine = noting((context) => {
      context.addRunMetadata?.(metadata);
      return [[]];
    });
    const [failed] = (await run({ type: 'noting' }, 'manual', engine)).runData['X'] ?? [];
    expect(failed?.error?.message).toContain('the metadata of a node run');
    expect(failed).not.toHaveProperty('metadata');
  });
});
