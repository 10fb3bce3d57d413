import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryBudget } from '@sluice/domain';
import { makeScope, never } from '../../tests/scope-fixture.ts';
import { createSandbox, type Sandbox } from '../index.ts';
import { maxRequestLength } from '../limits.ts';
import type { GuestCall, GuestImage } from '../protocol.ts';
import { findReferences } from '../scope/find-references.ts';
import { GuestScopeBuilder } from '../scope/guest-scope-builder.ts';
import { type CallOrigin, slowAfterMs } from '../thread-limits.ts';
import { GuestHost } from './guest-host.ts';
import { initialPages } from './guest-instance.ts';
import { GuestPool } from './guest-pool.ts';

const forever = 'while (true) {}';

/** Threads run as usual; only timeouts are faked. */
const allButTimeouts = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

const scope = new GuestScopeBuilder(makeScope(), findReferences([''])).build();
const base = { scope, mode: 'allItems', continueOnFail: false, staticData: { global: {}, node: {} }, maxOutputLength: 1e6 };
const call = (source: string, timeoutMs = 60_000): GuestCall => ({
  run: 'code',
  image: 'plain',
  request: JSON.stringify({ ...base, source, maxLogEntries: 10, maxLogLength: 100 }),
  leaves: [],
  timeoutMs,
});

const task = (source: string, timeoutMs?: number) => ({ call: call(source, timeoutMs), workflowId: 'mine' });
const mine: CallOrigin = { projectId: 'me', workflowId: 'mine', nodeName: 'Code' };
const loops: CallOrigin = { projectId: 'other', workflowId: 'loops', nodeName: 'Code' };

function run(sandbox: Sandbox, source: string, signal: AbortSignal = never) {
  return sandbox.runCode({ source, mode: 'allItems', scope: makeScope() }, signal);
}

/** Open ports to threads in this process. */
function openThreads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

describe('the threads', () => {
  test('start at first use and are gone after close', async () => {
    const before = openThreads();
    const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 32, threads: 2 });
    expect(openThreads()).toBe(before);
    await Promise.all([run(sandbox, 'return {}'), run(sandbox, 'return {}'), run(sandbox, 'return {}')]);
    await sandbox.close();
    expect(openThreads()).toBe(before);
    await expect(run(sandbox, 'return {}')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test("stop a call immediately on abort, with the signal's reason, and then run the next call", async () => {
    const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 32, threads: 1 });
    const abort = new AbortController();
    const call = run(sandbox, forever, abort.signal);
    const queued = run(sandbox, 'return { queued: true }');
    const queuedAbort = new AbortController();
    const aborted = run(sandbox, 'return {}', queuedAbort.signal);
    queuedAbort.abort(new Error('given up'));
    await expect(aborted).rejects.toThrow('given up');
    abort.abort(new Error('canceled'));
    await expect(call).rejects.toThrow('canceled');
    expect((await queued).items[0]?.json).toEqual({ queued: true });
    await expect(run(sandbox, 'return {}', abort.signal)).rejects.toThrow('canceled');
    await sandbox.close();
  });

  test('close stops calls in flight', async () => {
    const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 32, threads: 1 });
    const calls = [run(sandbox, forever), run(sandbox, forever)];
    const ends = Promise.allSettled(calls);
    await sandbox.close();
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('a pool', () => {
  afterEach(() => void jest.useRealTimers());

  test('stops idle threads, and starts others when there are calls again', async () => {
    const pool = new GuestPool({ memoryMb: 32, threads: 2, idleMs: 50 });
    const runs = [pool.run(call('return {}'), mine, never), pool.run(call('return {}'), mine, never)];
    expect(pool.threadCount).toBe(2);
    await Promise.all(runs);
    await until(() => pool.threadCount === 0);
    expect((await pool.run(call('return {}'), mine, never)).outcome).toHaveProperty('reply');
    expect(pool.threadCount).toBe(1);
    await pool.close();
  });

  test('runs other calls on spare threads while some do not end, and stops idle spare threads', async () => {
    jest.useFakeTimers({ doNotFake: [...allButTimeouts] });
    const pool = new GuestPool({ memoryMb: 32, threads: 2 });
    const abort = new AbortController();
    const endless = Array.from({ length: 6 }, () => pool.run(call(forever), loops, abort.signal));
    const ends = Promise.allSettled(endless);
    expect(pool.threadCount).toBe(2);
    const waiting = pool.run(call('return {}'), mine, never);
    await untilReal(() => jest.getTimerCount() >= 4); // both are running: a deadline and a slice for each
    await jest.advanceTimersByTimeAsync(slowAfterMs);
    expect((await waiting).outcome).toHaveProperty('reply');
    expect(pool.threadCount).toBe(3);
    jest.useRealTimers();
    abort.abort(new Error('enough'));
    await ends;
    await until(() => pool.threadCount <= 2);
    await pool.close();
  });

  test.each([
    ['one workflow', 1],
    ['six workflows', 6],
  ])('serves short calls alongside six loops of %s whose nodes have looped before', async (_, workflows) => {
    const pool = new GuestPool({ memoryMb: 32, threads: 2 });
    const stop = new AbortController();
    const loop = (timeoutMs: number) => async (_: unknown, i: number) => {
      const origin = { ...loops, workflowId: `loops ${i % workflows}` };
      await pool.run(call(forever, timeoutMs), origin, stop.signal);
    };
    await Promise.all(Array.from({ length: workflows }, loop(100))); // once, so that each node is known as slow
    const ends = Promise.allSettled(Array.from({ length: 6 }, loop(60_000)));
    for (let count = 0; count < 5; count += 1)
      expect((await pool.run(call('return {}'), mine, never)).outcome).toHaveProperty('reply');
    expect(pool.threadCount).toBeLessThanOrEqual(8);
    stop.abort(new Error('enough'));
    await ends;
    await pool.close();
  });

  test('serves short calls alongside many workflows of another project that loop for the first time', async () => {
    const pool = new GuestPool({ memoryMb: 32, threads: 2 });
    const stop = new AbortController();
    const loop = (i: number) => pool.run(call(forever), { ...loops, workflowId: `loops ${i}` }, stop.signal);
    const ends = Promise.allSettled(Array.from({ length: 20 }, (_, i) => loop(i)));
    await until(() => pool.threadCount >= 4);
    for (let count = 0; count < 5; count += 1)
      expect((await pool.run(call('return {}'), mine, never)).outcome).toHaveProperty('reply');
    stop.abort(new Error('enough'));
    await ends;
    await pool.close();
  });

  test('a thread that cannot be started fails only its own call, and takes no share', async () => {
    let isBroken = false;
    const options = {
      threads: 1,
      get memoryMb() {
        return isBroken ? (Symbol('not cloneable') as unknown as number) : 32; // `new Worker` throws
      },
    };
    const pool = new GuestPool(options);
    isBroken = true;
    const unavailable = { code: 'SERVICE_UNAVAILABLE', message: 'a sandbox thread could not be started' };
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(pool.run(call('return {}'), mine, never)).rejects.toMatchObject(unavailable);

    isBroken = false;
    expect((await pool.run(call('return {}'), mine, never)).outcome).toHaveProperty('reply');
    await pool.close();
  });

  test('counts the quick calls that wait, per thread', async () => {
    const pool = new GuestPool({ memoryMb: 32, threads: 2, idleMs: 60_000 });
    await pool.run(call(forever, 100), loops, never); // its node is known as slow
    const stop = new AbortController();
    const runs = [...Array(4).fill(loops), ...Array(6).fill(mine)].map((origin) =>
      pool.run(call(forever), origin, stop.signal),
    );
    expect(pool.waiting).toBe(2);
    const ends = Promise.allSettled(runs);
    stop.abort(new Error('enough'));
    await ends;
    expect(pool.waiting).toBe(0);
    await pool.close();
  });

  test('does not count quick calls that only wait for slow calls of their workflow', async () => {
    const pool = new GuestPool({ memoryMb: 32, threads: 2 });
    const stop = new AbortController();
    const loop = (i: number) => pool.run(call(forever), { ...loops, nodeName: `Loop ${i}` }, stop.signal);
    const ends = Promise.allSettled(Array.from({ length: 12 }, (_, i) => loop(i)));
    expect(pool.waiting).toBe(5);
    await until(() => pool.waiting === 0);
    expect((await pool.run(call('return {}'), mine, never)).outcome).toHaveProperty('reply');
    stop.abort(new Error('enough'));
    await ends;
    await pool.close();
  });

  test('needs only one thread for many consecutive runs', async () => {
    const pool = new GuestPool({ memoryMb: 32, threads: 4 });
    for (let count = 0; count < 200; count += 1) await pool.run(call('return items'), mine, never);
    expect(pool.threadCount).toBe(1);
    await pool.close();
  });
});

describe('the guest of a thread', () => {
  test('is reused as long as calls end normally, and is replaced after a call that did not', async () => {
    const host = await GuestHost.create({ memoryMb: 32 });
    for (let count = 0; count < 100; count += 1) {
      expect(await host.run(task('globalThis.mark = [globalThis.mark]; return {}'))).toHaveProperty('outcome.reply');
      await host.recycle();
    }
    expect(host.guestsMade).toBe(1);
    expect((await host.run(task(forever, 200))).outcome).toEqual({ failure: 'timeout' });
    await host.recycle();
    expect(await host.run(task('return {}'))).toHaveProperty('outcome.reply');
    expect(host.guestsMade).toBe(2);
  });

  test('works as before when its memory has grown, and is kept', async () => {
    const host = await GuestHost.create({ memoryMb: 32 });
    const grown = 'globalThis.mark = "x".repeat(12 * 1024 * 1024); return { length: mark.length }';
    const run = async (source: string) => {
      const { outcome } = await host.run(task(source));
      await host.recycle();
      return outcome;
    };

    const first = await run('return { mark: typeof mark }');
    expect(await run(grown)).toHaveProperty('reply', expect.stringContaining('12582912'));

    expect(await run('return { mark: typeof mark }')).toEqual(first);
    expect(first).toHaveProperty('reply', expect.stringContaining('undefined'));
    expect(host.guestsMade).toBe(1);
  });

  test('frees its memory when it is replaced, although V8 does not collect garbage on a waiting thread', async () => {
    const memories: WeakRef<WebAssembly.Memory>[] = [];
    const { Memory } = WebAssembly;
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor: ConstructorParameters<typeof Memory>[0]) {
        super(descriptor);
        memories.push(new WeakRef(this));
      }
    };
    try {
      const host = await GuestHost.create({ memoryMb: 64 });
      for (let calls = 0; calls < 2; calls += 1) {
        await host.run(task('return { length: "x".repeat(40 * 1024 * 1024).length }'));
        await host.recycle();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(host.guestsMade).toBe(3);
      expect(memories.map((memory) => memory.deref() !== undefined)).toEqual([false, false, true]);
    } finally {
      WebAssembly.Memory = Memory;
    }
  });

  test('rejects a request that exceeds its memory, and survives the longest request that it accepts', async () => {
    const host = await GuestHost.create({ memoryMb: 16 });
    const ofLength = (length: number) => task(`return [{ json: { length: "${'€'.repeat(length)}".length } }]`);
    const most = maxRequestLength(16 * 1024 * 1024);

    expect((await host.run(ofLength(most))).outcome).toEqual({ failure: 'memory' });
    expect((await host.run(ofLength(4_000_000))).outcome).toEqual({ failure: 'memory' });
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      const { outcome } = await host.run(ofLength(Math.floor((most - 2_000) * share)));
      expect('reply' in outcome ? 'reply' : outcome.failure).toMatch(/^(reply|memory)$/);
      await host.recycle();
    }
    expect(await host.run(task('return []'))).toHaveProperty('outcome.reply');
  });

  test.each<GuestImage>(['plain', 'full'])(
    '%s image: a restore skips at least 4 MiB of the stack, which no recursion reaches',
    async (image) => {
      const { host, memory } = await hostWithMemory();
      const runSource = async (source: string) => {
        const { outcome } = await host.run({ call: { ...call(source), image }, workflowId: 'mine' });
        await host.recycle();
        return outcome;
      };
      const pages = () =>
        Array.from({ length: initialPages }, (_, page) => new Uint8Array(memory.buffer, page * pageBytes, pageBytes));
      const unused = () => pages().filter((page) => page.every((byte) => byte === 0xa5)).length;

      await runSource('return {}');
      for (const page of pages()) page.fill(0xa5);
      await host.recycle();
      const before = unused();
      expect(before * pageBytes).toBeGreaterThanOrEqual(4 * 1024 * 1024);

      for (const recursion of recursions)
        expect(await runSource(`try { ${recursion} } catch (error) { return { message: error.message } }`)).toHaveProperty(
          'reply',
          expect.stringMatching(/stack/),
        );
      expect(unused()).toBe(before);
    },
  );

  test('is cleared between two workflows even where only a defect in the engine can write', async () => {
    const { host, memory } = await hostWithMemory();
    const runFor = async (workflowId: string) => {
      await host.run({ call: call('return {}'), workflowId });
      await host.recycle();
    };

    await runFor('mine');
    middleOfStack(memory)[0] = 1;
    await runFor('mine');
    expect([...middleOfStack(memory)]).toEqual([1]);
    await runFor('loops');
    expect([...middleOfStack(memory)]).toEqual([0]);
  });

  test('is cleared before each call that belongs to no workflow', async () => {
    const { host, memory } = await hostWithMemory();
    const withoutWorkflow = { ...task('return {}'), workflowId: '' };
    await host.run(withoutWorkflow);
    await host.recycle();
    middleOfStack(memory)[0] = 1;
    await host.run(withoutWorkflow);
    expect([...middleOfStack(memory)]).toEqual([0]);
  });

  test('is cleared before a snapshot of another image, which would otherwise keep leftover data', async () => {
    const { host, memory } = await hostWithMemory();
    const runFor = async (workflowId: string, image: GuestImage) => {
      await host.run({ call: { ...call('return {}'), image }, workflowId });
      await host.recycle();
    };
    await runFor('mine', 'plain');
    middleOfStack(memory)[0] = 1;
    await runFor('mine', 'luxon');
    await runFor('loops', 'luxon');
    expect([...middleOfStack(memory)]).toEqual([0]);
  });
});

const pageBytes = 64 * 1024;

/**
 * Code that recurses until the engine stops it, directly and through the engine's own functions.
 */
const recursions = [
  'const deeper = () => 1 + deeper(); deeper()',
  'const deeper = (value) => [value].map(deeper); deeper(1)',
  'const deeper = () => "a".replace(/a/, deeper); deeper()',
];

/** A byte that no call can write. */
const middleOfStack = (memory: WebAssembly.Memory) => new Uint8Array(memory.buffer, 3 * 1024 * 1024, 1);

/** A guest, and its memory as used by the engine. */
async function hostWithMemory() {
  const { Memory } = WebAssembly;
  const { promise, resolve } = Promise.withResolvers<WebAssembly.Memory>();
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: ConstructorParameters<typeof Memory>[0]) {
      super(descriptor);
      resolve(this);
    }
  };
  try {
    const host = await GuestHost.create({ memoryMb: 32 });
    return { host, memory: await promise };
  } finally {
    WebAssembly.Memory = Memory;
  }
}

/** The same with stopped timers. */
async function untilReal(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a call waits without a thread while there is no memory for its result', async () => {
  const mib = 1024 * 1024;
  const budget = new MemoryBudget({ limit: 100 * mib, inUse: () => 1 });
  const full = budget.open(never);
  full.retain(40 * mib);
  expect(full.reserveResult(mib)).toBeUndefined();
  const pool = new GuestPool({ memoryMb: 32, threads: 1 });
  const share = budget.open(never);
  const waiting = share.run(() => pool.run(call('return { text: "x".repeat(1000) }'), mine, never));
  expect(await pool.run(call('return {}'), loops, never)).toMatchObject({ outcome: { reply: expect.any(String) } });
  expect(share.size).toBe(0);
  full[Symbol.dispose]();
  expect(await waiting).toMatchObject({ outcome: { reply: expect.stringContaining('xxx') } });
  expect(share.size).toBeGreaterThan(4_000);
  expect(share.size).toBeLessThan(8_000);
  await pool.close();
});
