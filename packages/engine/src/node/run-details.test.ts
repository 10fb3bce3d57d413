import { describe, expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject, NodeOutput } from '@sluice/node-sdk';
import { testEngine } from '../testing/run-graph.ts';
import { run } from '../testing/run-three-items.ts';
import { testType } from '../testing/test-nodes.ts';

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
