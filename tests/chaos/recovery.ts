import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Stack } from './stack.ts';
import { until } from './until.ts';

const timeoutMs = 120_000;
/** Maximum wait for starting processes before the next faults. */
const readyWithinMs = 60_000;

/** How long the service took to recover from faults, in milliseconds. */
export interface Recovery {
  /** Until a new execution succeeded, or the attempts ended. */
  workedMs: number;
  /** Until every process was ready, or the wait timed out. */
  readyMs: number;
  /** Processes that were not ready after `readyMs`. */
  notReady: string[];
}

/**
 * Measures the recovery: starts executions at both API processes for up to two minutes until one
 * succeeds, then waits until every process is ready.
 */
export async function measureRecovery(stack: Stack, client: Client, { probeId, ledger }: Probe): Promise<Recovery> {
  const since = performance.now();
  const probes = stack.apis.map((api) => async () => {
    const headers = { prefer: 'wait=2' };
    const reply = await client.send({ method: 'POST', route: '/workflows/{id}/run', id: probeId, headers, body: {} }, api);
    if (reply?.status === 200) ledger.accept({ id: reply.body.executionId, kind: 'probe' });
    else ledger.unanswered += 1;
    if (reply?.body.status !== 'success') throw new Error('the probe did not succeed');
  });
  const recovered = new AbortController();
  await Promise.any(probes.map((probe) => repeat(probe, recovered.signal))).catch(() => undefined); // `workedMs` says so
  recovered.abort();
  const workedMs = performance.now() - since;
  const processes = [...stack.apis, ...stack.workers];
  let notReady: string[] = [];
  const allReady = async () => {
    const ready = await Promise.all(processes.map((process) => process.isReady()));
    notReady = processes.flatMap(({ name }, i) => (ready[i] ? [] : name));
    return notReady.length === 0;
  };
  await until(allReady, readyWithinMs).catch(() => undefined); // `notReady` says so
  return { workedMs, readyMs: performance.now() - since, notReady };
}

interface Probe {
  /** The workflow that probes run. */
  probeId: string;
  ledger: Ledger;
}

async function repeat(probe: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!signal.aborted) {
    try {
      return await probe();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(200);
    }
  }
}
