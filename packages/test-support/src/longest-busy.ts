/** Additions that take `referenceMs` of CPU time on the machine on which the limits of tests were chosen. */
const additions = 20_000_000;
const referenceMs = 13;

/**
 * The most CPU time in milliseconds that this thread used between two turns of its event loop while
 * `work` ran: that long, it blocked everything else. CPU time, so that the load of the machine does
 * not count; on a machine that computes more slowly than the reference, its milliseconds are shorter.
 */
export async function longestBusy(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = processorMs();
  const tick = () => {
    const now = processorMs();
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
  return longest / slowness();
}

/** How many times longer than the reference this machine computes now; at least 1. Shared processors change their speed. */
function slowness(): number {
  const began = processorMs();
  let sum = 0;
  for (let index = 0; index < additions; index += 1) sum = (sum + index) | 0;
  const tookMs = processorMs() - began;
  return sum === 0 ? 1 : Math.max(1, tookMs / referenceMs);
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
