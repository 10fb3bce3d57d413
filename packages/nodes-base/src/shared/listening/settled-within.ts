import { within } from '@sluice/node-sdk';

/** Time that a closed listener allows for work in progress, in milliseconds. */
const farewellMs = 500;

/**
 * Waits until the work settles or the time has passed. Never rejects: the caller that started the
 * work handles its error.
 */
export async function settledWithin(work: Promise<unknown>, timeoutMs = farewellMs): Promise<void> {
  await within(timeoutMs, work).catch(() => undefined);
}
