import { describe, expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { wait } from './wait.ts';

describe('wait', () => {
  test('passes its items on after the time', async () => {
    const startedAt = performance.now();
    const output = await runNode(wait, { json: [{ a: 1 }], parameters: { amount: 0.05, unit: 'seconds' } });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
    expect(output).toEqual([[{ json: { a: 1 }, pairedItem: { item: 0 } }]]);
  });

  test('ends with the reason of the signal as soon as it fires', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    const run = runNode(wait, { parameters: { amount: 60 }, signal: controller.signal });
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
  });

  test.each([
    [1.1, { amount: 66 }],
    [1.1, { amount: 2, unit: 'minutes' }],
    [1, {}],
    [1.1, { resume: 'webhook' }],
    [1.1, { resume: 'specificTime', dateTime: '2030-01-01' }],
  ])('version %d with %j is refused with a hint', async (typeVersion, parameters) => {
    const run = runNode(wait, { typeVersion, parameters });
    await expect(run).rejects.toMatchObject({ code: 'NOT_SUPPORTED', description: expect.stringContaining('65 seconds') });
  });

  test.each([
    [{ amount: 'long' }, '"amount"'],
    [{ amount: -1 }, '"amount"'],
    [{ unit: 'fortnights' }, '"unit"'],
  ])('%j is an error that names the parameter', async (parameters, message) => {
    await expect(runNode(wait, { parameters })).rejects.toThrow(message);
  });
});
