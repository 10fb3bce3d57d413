/**
 * The longest time that `work` blocked the event loop, in milliseconds of the reference machine
 * (`referenceMs`).
 */
export async function longestBusy(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = threadMs();
  const tick = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
    tick();
  }
  return referenceMs(longest);
}

/**
 * Measures up to three times until a result is within `limit`, and resolves to the lowest. Work
 * that blocks the event loop does so every time; a busy machine blocks it only sometimes.
 */
export async function leastWithin(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > limit; tries += 1) least = Math.min(least, await measure());
  return least;
}

/**
 * The CPU time that this thread needs for `work`, in milliseconds of the reference machine
 * (`referenceMs`).
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const startedAt = threadMs();
  await work();
  return referenceMs(threadMs() - startedAt);
}

/** A megabyte of JSON. */
const text = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, name: `n${id}` })));

/**
 * Scales CPU time, in milliseconds, to a machine that parses 100 MB of small JSON objects per
 * second, like common CPUs of 2020, so that limits also hold on slower machines. Time on a faster
 * machine is not scaled.
 */
function referenceMs(ms: number): number {
  if (ms < 100) return ms; // below every limit, so the machine need not be measured
  const parsing = [1, 2, 3].map(() => {
    const startedAt = threadMs();
    JSON.parse(text);
    return threadMs() - startedAt;
  });
  return ms / Math.max(1, Math.max(...parsing) / (text.length / 100_000));
}

/** CPU time of this thread, which does not depend on other processes. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
