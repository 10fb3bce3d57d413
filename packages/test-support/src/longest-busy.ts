/**
 * The longest that `work` kept this thread from a turn of its event loop, and so blocked everything
 * else, in milliseconds of the reference machine (`referenceMs`).
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
 * Measures up to three times, until a result is within `limit`; resolves to the least. Work that blocks
 * the event loop does so every time, a busy machine only sometimes.
 */
export async function leastWithin(limit: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > limit; tries += 1) least = Math.min(least, await measure());
  return least;
}

/** The processor time that this thread needs for `work`, in milliseconds of the reference machine (`referenceMs`). */
export async function processorMs(work: () => unknown): Promise<number> {
  const began = threadMs();
  await work();
  return referenceMs(threadMs() - began);
}

/** A megabyte of JSON. */
const text = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, name: `n${id}` })));

/**
 * Converts processor time of this thread, in milliseconds, to that of a machine that parses 100 MB of
 * small JSON objects in a second, as common processors of 2020 do. So a limit holds on a slower
 * machine too. A faster machine gets no less time.
 */
function referenceMs(ms: number): number {
  if (ms < 100) return ms; // below every limit, so what the machine can do need not be measured
  const parsing = [1, 2, 3].map(() => {
    const began = threadMs();
    JSON.parse(text);
    return threadMs() - began;
  });
  return ms / Math.max(1, Math.max(...parsing) / (text.length / 100_000));
}

/** Processor time of this thread, on which other processes have no claim. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
