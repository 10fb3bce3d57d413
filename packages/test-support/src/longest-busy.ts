/**
 * The most processor time, in milliseconds, that this thread took between two turns of its event loop while `work` ran: for that long
 * it did nothing for others. Processor time, not wall time: how busy the machine is does not count.
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
