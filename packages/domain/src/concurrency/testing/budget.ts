import { MemoryBudget } from '../memory-budget.ts';
import type { MemoryShare } from '../memory-share.ts';

export const mib = 1024 * 1024;
/** A signal that does not fire. */
export const never: AbortSignal = new AbortController().signal;

/** A budget of 100 MiB for data; `inUse`: share of the memory that is in use. */
export function aBudget({ inUse = 1 } = {}): MemoryBudget {
  return new MemoryBudget({ limit: 250 * mib, inUse: () => inUse });
}

/** A share that holds this many bytes. */
export function holding(budget: MemoryBudget, bytes: number): MemoryShare {
  const share = budget.open(never);
  share.hold(bytes);
  return share;
}

/** Whether the promise settles without further events. */
export async function isSettled(promise: void | Promise<void>): Promise<boolean> {
  let settled = promise === undefined;
  void promise?.then(() => (settled = true));
  await new Promise(setImmediate);
  return settled;
}
