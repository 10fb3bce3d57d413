import type { ChildProcess } from 'node:child_process';
import { type Fleet, inParallel } from './fleet.ts';
import { collectedRssMb } from './program.ts';
import { median, round } from './statistics.ts';

const connections = 8;
/**
 * Warm-up: how many workflows are activated and deactivated before the measurement, and how often.
 */
const warmUps = { workflows: 200, rounds: 2 };
/** Memory has settled when the last `samples`, taken every second, differ by at most `withinMb`. */
const settled = { samples: 8, withinMb: 1, atMost: 60 };

/**
 * Measures how many seconds it takes to activate workflows with one schedule each through the
 * public API, one request at a time, and by how many MB the processes grow: resident memory after
 * garbage collection, once it has settled.
 */
export async function measureActivations(fleet: Fleet, workflows: number): Promise<object> {
  const create = async (count: number) => {
    const ids: string[] = [];
    await inParallel(connections, count, async (i, agent) => {
      const { id } = await fleet.call<{ id: string }>('POST', '/api/v1/workflows', aWorkflow(i), agent);
      ids.push(id);
    });
    return ids;
  };
  const actOnEach = (workflowIds: readonly string[], act: 'activate' | 'deactivate') =>
    inParallel(1, workflowIds.length, async (i, agent) => {
      await fleet.call('POST', `/api/v1/workflows/${workflowIds[i]}/${act}`, {}, agent);
    });
  const [warmUpIds, ids] = [await create(warmUps.workflows), await create(workflows)];
  for (let i = 0; i < warmUps.rounds; i += 1)
    for (const act of ['activate', 'deactivate'] as const) await actOnEach(warmUpIds, act);
  const before = await memoryOf(fleet);
  const startedAt = performance.now();
  await actOnEach(ids, 'activate');
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await memoryOf(fleet);
  const addedMb = { api: round(after.api - before.api, 1), worker: round(after.worker - before.worker, 1) };
  return { workflows, seconds: round(seconds, 1), memoryMb: { before, after }, addedMb };
}

async function memoryOf({ api, workers: [worker] }: Fleet): Promise<{ api: number; worker: number }> {
  if (!worker) throw new Error('the fleet has no worker');
  const [apiMb, workerMb] = await Promise.all([settledMb(api), settledMb(worker)]);
  return { api: round(apiMb, 1), worker: round(workerMb, 1) };
}

async function settledMb(child: ChildProcess): Promise<number> {
  const samples: number[] = [];
  while (samples.length < settled.atMost) {
    samples.push(await collectedRssMb(child));
    const last = samples.slice(-settled.samples);
    if (last.length === settled.samples && Math.max(...last) - Math.min(...last) <= settled.withinMb) return median(last);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error(`memory does not settle: ${samples.map((mb) => round(mb, 1)).join(', ')}`);
}

/** Due on the next February 29, so that nothing runs during the measurement. */
function aWorkflow(i: number): object {
  const rule = { interval: [{ field: 'cronExpression', expression: `${i % 60} 0 29 2 *` }] };
  return {
    name: `Schedule ${i}`,
    nodes: [
      { name: 'Schedule', type: 'base.schedule-trigger', typeVersion: 1.2, position: [0, 0], parameters: { rule } },
      {
        name: 'Set',
        type: 'base.set',
        typeVersion: 3.4,
        position: [200, 0],
        parameters: { mode: 'raw', jsonOutput: `={{ { n: ${i} } }}` },
      },
    ],
    connections: { Schedule: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
    settings: {},
  };
}
