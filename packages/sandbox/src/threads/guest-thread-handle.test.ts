import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, jest, test } from '@jest/globals';
import { never } from '../../tests/scope-fixture.ts';
import { GuestThread, startTimeoutMs, threadFlags } from './guest-thread-handle.ts';

afterEach(() => void jest.useRealTimers());

test('a thread that is not ready in time is stopped, and its call fails', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance', 'setImmediate', 'clearImmediate'] });
  const thread = new GuestThread({ memoryMb: 32, lowPriority: false });
  const call = thread.call(
    { call: { run: 'code', image: 'plain', request: '{}', leaves: [], timeoutMs: 1_000 }, workflowId: 'w' },
    never,
  );
  const outcome = expect(call).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'a sandbox thread did not start in time',
  });

  jest.advanceTimersByTime(startTimeoutMs); // before any message from the thread can arrive

  await outcome;
  expect(thread.ended).toBe(true);
  await thread.exited;
});

test('without a build, a thread resolves workspace packages to their sources', async () => {
  const code = `require('node:worker_threads').parentPort.postMessage(require.resolve('@sluice/domain'))`;
  const thread = new Worker(code, { eval: true, env: {}, execArgv: [...threadFlags] });

  const [file] = await once(thread, 'message');

  expect(file).toMatch(/domain\/src\/index\.ts$/);
});
