import { MemoryBudget } from '../memory-budget.ts';
import type { MemoryReservation } from '../memory-reservation.ts';

export const mib = 1024 * 1024;
/** A signal that does not fire. */
export const never: AbortSignal = new AbortController().signal;

/** A budget of 100 MiB for data; `inUse`: fraction of the memory that is in use. */
export function aBudget({ inUse = 1 } = {}): MemoryBudget {
  return new MemoryBudget({ limit: 250 * mib, inUse: () => inUse });
}

/** A reservation that retains this many bytes. */
export function retaining(budget: MemoryBudget, bytes: number): MemoryReservation {
  const reservation = budget.open(never);
  reservation.retain(bytes);
  return reservation;
}

/** Whether the promise settles without further events. */
export async function isSettled(promise: void | Promise<void>): Promise<boolean> {
  let settled = promise === undefined;
  void promise?.then(() => (settled = true));
  await new Promise(setImmediate);
  return settled;
}
