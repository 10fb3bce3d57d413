/**
 * The most CPU time in milliseconds that this thread used between two turns of its event loop while
 * `work` ran: that long, it blocked everything else. CPU time, so that the load of the machine does
 * not count.
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
  return longest;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
