import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 25;
const requestTimeoutMs = 5000;

/** The response of `GET <url>/readyz`. Throws if there is none within five seconds. */
export async function readinessOf(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(requestTimeoutMs) });
  return { status: response.status, text: await response.text() };
}

/**
 * Resolves when `GET <url>/readyz` returns 200; rejects with the reason of `signal` if that fires
 * first.
 */
export async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  while (!(await isReady(url, signal))) {
    await sleep(pollMs);
    signal.throwIfAborted();
  }
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
