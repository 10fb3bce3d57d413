import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { everySecond, listening, opened, SourceFleet } from './support/source-fleet.ts';

const fleet = await SourceFleet.start();
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

describe('polls and listeners of a type that some workers lack', () => {
  test('are left to workers that have it, without a failure', async () => {
    const contexts = fleet.recordListeners();
    fleet.poll = async () => [{ json: { found: true } }];
    const [lacking] = [await fleet.workerWithoutTypes(), await fleet.worker()];
    const polled = await fleet.activate({ ...everySecond, foreignType: 'test.poller' });
    const listened = await fleet.activate({ ...listening, foreignType: 'test.listener' });
    await opened(contexts, 1);
    await fleet.inputsOf(polled, 3);
    const workerId = lacking?.context.lease.workerId;
    for (const id of [polled, listened]) {
      expect(await fleet.triggerOf(id)).toMatchObject({ failures: 0, lastError: null });
      expect((await fleet.triggerOf(id)).heldBy).not.toBe(workerId);
    }
  });

  test('report a failure if no worker has it, and continue soon after such a worker starts', async () => {
    const contexts = fleet.recordListeners();
    await fleet.db.kysely.deleteFrom('worker_types').execute();
    const id = await fleet.activate({ ...listening, foreignType: 'test.listener' });
    await fleet.workerWithoutTypes();
    await eventually(async () => (await fleet.triggerOf(id)).failures > 0);
    expect((await fleet.triggerOf(id)).lastError).toContain('test.listener');
    await fleet.worker();
    await opened(contexts, 1);
    await eventually(async () => (await fleet.triggerOf(id)).failures === 0);
  });
});
