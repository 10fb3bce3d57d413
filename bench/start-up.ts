import { spawn } from 'node:child_process';
import { childEnvironment } from '@sluice/config';
import { findFreePort } from '@sluice/embedded';
import { memoryOptions, memoryVariables } from '../apps/cli/src/memory-options.ts';
import type { Measurement } from './bench.ts';
import { endChild, track } from './children.ts';
import { fleetSettings } from './fleet.ts';
import { rssMb } from './processes.ts';
import { programPath, untilReady } from './program.ts';
import type { Stack } from './stack.ts';

interface StartUpFigures {
  /** Milliseconds from the start of the process until `/readyz` first returns 200. */
  readyMs: number;
  /** Resident memory after `idleMs` without requests. */
  idleRssMb: number;
}

/** Time without requests before the memory is read. */
const idleMs = 3_000;

/**
 * Measures startup time (`<app>ReadyMs`) and idle memory (`<app>IdleMb`) of the API and a worker.
 */
export const measureStartUp: Measurement = async ({ stack }) => {
  return async () => {
    const api = await startUp('api', stack, await findFreePort());
    const worker = await startUp('worker', stack, await findFreePort());
    return {
      apiReadyMs: api.readyMs,
      apiIdleMb: api.idleRssMb,
      workerReadyMs: worker.readyMs,
      workerIdleMb: worker.idleRssMb,
    };
  };
};

/**
 * Starts the built API or a built worker as a separate process, as in production, on a migrated
 * database.
 */
async function startUp(app: 'api' | 'worker', stack: Stack, port: number): Promise<StartUpFigures> {
  const env = {
    ...memoryVariables(),
    ...fleetSettings(stack),
    PORT: String(port),
    WORKER_PORT: String(port),
    NODE_OPTIONS: '',
  };
  const startedAt = performance.now();
  const child = track(
    spawn(process.execPath, [...memoryOptions(), programPath, app], {
      env: childEnvironment(env),
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  try {
    await untilReady(child, port);
    const readyMs = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    return { readyMs, idleRssMb: rssMb(child.pid ?? 0) };
  } finally {
    await endChild(child);
  }
}
