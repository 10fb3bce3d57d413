import { createContext } from '@sluice/api';
import { toConfig } from '@sluice/config';
import { createLogger } from '@sluice/logger';
import type { Measurement } from './bench.ts';
import { fleetSettings, ownerKey } from './fleet.ts';
import { cpuMsOfAll } from './processes.ts';

const inFlight = 200;

/**
 * `c`: executions per second of manual trigger → set, from the first start to the last end, started
 * by the API's run service in this process; all data is saved. `cCpuMs`: CPU milliseconds per
 * execution of this process, the worker, Postgres, and Redis.
 */
export const measureExecutions: Measurement = async ({ stack, fleet, count, resources }) => {
  const context = createContext(toConfig(fleetSettings(stack)), { logger: createLogger({ name: 'bench', level: 'warn' }) });
  resources.defer(() => context.close());
  const { authenticator, services } = context;
  const caller = await authenticator.authenticate(ownerKey);
  await services.workflows.create(workflow, caller);

  const { signal } = new AbortController();
  const options = { waitMs: 0, signal, renewCaller: () => authenticator.authenticate(ownerKey) };
  const round = async (runs: number) => {
    const cpuBefore = cpuMsOfAll();
    const startedAt = performance.now();
    let remaining = runs;
    const starter = async () => {
      while (remaining-- > 0) await services.runs.run(workflow.id, {}, caller, options);
    };
    await Promise.all(Array.from({ length: inFlight }, starter));
    await fleet.allEnded(20);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { c: runs / seconds, cCpuMs: (cpuMsOfAll() - cpuBefore) / runs };
  };
  await round(count / 3); // warm-up
  return () => round(count);
};

const workflow = {
  id: 'bench',
  name: 'Bench',
  nodes: [
    { id: '1', name: 'Start', type: 'base.manual-trigger', position: [0, 0] as [number, number], parameters: {} },
    {
      id: '2',
      name: 'Set',
      type: 'base.set',
      typeVersion: 3.4,
      position: [200, 0] as [number, number],
      parameters: { assignments: { assignments: [{ name: 'workflow', type: 'string', value: '={{ $workflow.name }}' }] } },
    },
  ],
  connections: { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
};
