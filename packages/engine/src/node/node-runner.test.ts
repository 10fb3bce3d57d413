import { describe, expect, test } from '@jest/globals';
import { graphOf, runGraph, testEngine } from '../testing/run-graph.ts';
import { pairsOf, pinnedTrigger, run } from '../testing/run-three-items.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

const trigger = { type: 'manual-trigger' };

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
