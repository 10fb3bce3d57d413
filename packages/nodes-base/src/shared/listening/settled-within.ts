import { within } from '@sluice/node-sdk';

/** Milliseconds that a closed listener gives to work in progress. */
const farewellMs = 500;

/** Waits until the work settles or the time is over. Never rejects: the caller that started the work handles its error. */
export async function settledWithin(work: Promise<unknown>, timeoutMs = farewellMs): Promise<void> {
  await within(timeoutMs, work).catch(() => undefined);
}
