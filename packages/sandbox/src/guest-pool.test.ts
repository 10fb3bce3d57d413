import { describe, expect, test } from '@jest/globals';
import { makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox, type Sandbox } from './index.ts';

const forever = 'while (true) {}';

function run(sandbox: Sandbox, source: string, signal: AbortSignal = never) {
  return sandbox.runCode({ source, mode: 'allItems', scope: makeScope() }, signal);
}

/** Ports to threads that are open in this process. */
function openThreads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

describe('the threads', () => {
  test('start at first use and are gone after close', async () => {
    const before = openThreads();
    const sandbox = createSandbox({ timeoutMs: 1_000, memoryMb: 32, threads: 2 });
    expect(openThreads()).toBe(before);
    await Promise.all([run(sandbox, 'return {}'), run(sandbox, 'return {}'), run(sandbox, 'return {}')]);
    await sandbox.close();
    expect(openThreads()).toBe(before);
    await expect(run(sandbox, 'return {}')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('an abort ends a call at once, with the reason of the signal, and the next call works', async () => {
    const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 32, threads: 1 });
    const abort = new AbortController();
    const call = run(sandbox, forever, abort.signal);
    const queued = run(sandbox, 'return { queued: true }');
    const queuedAbort = new AbortController();
    const given = run(sandbox, 'return {}', queuedAbort.signal);
    queuedAbort.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    abort.abort(new Error('canceled'));
    await expect(call).rejects.toThrow('canceled');
    expect((await queued).items[0]?.json).toEqual({ queued: true });
    await expect(run(sandbox, 'return {}', abort.signal)).rejects.toThrow('canceled');
    await sandbox.close();
  });

  test('close ends a call in flight', async () => {
    const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 32, threads: 1 });
    const calls = [run(sandbox, forever), run(sandbox, forever)];
    const ends = Promise.allSettled(calls);
    await sandbox.close();
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});
