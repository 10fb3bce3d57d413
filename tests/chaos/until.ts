import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@sluice/test-support';

/**
 * Longer than in tests: the conditions take seconds, and frequent polling would slow the service
 * down.
 */
const pollMs = 250;

/** Waits until a condition is true; rejects after `timeoutMs`. */
export async function until(check: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const slowly = async () => {
    if (await check()) return true;
    await delay(pollMs);
    return false;
  };
  await eventually(slowly, { timeoutMs });
}
