import type { Measurement } from './bench.ts';
import { load, loadTarget } from './http-load.ts';
import { cpuMsOfAll, rssMb } from './processes.ts';
import { throughputCases } from './throughput-cases.ts';

const connections = 50;

/**
 * `<name>`: executions per second of a small workflow, started by webhook requests with immediate
 * responses, from the first request to the last end; all data is saved. `<name>CpuMs`: CPU
 * milliseconds per execution of all processes, including the client. `workerMb`: resident memory of
 * the worker afterward.
 */
export function measureThroughput(name: string): Measurement {
  return async ({ fleet, count }) => {
    await fleet.activate({ name, settings: {}, ...throughputCases[name] });
    const target = loadTarget(fleet.port, 'POST', `/webhook/${name}`, { body: { n: 21 } });
    const round = async (requests: number) => {
      const cpuBefore = cpuMsOfAll();
      const startedAt = performance.now();
      await load(target, requests, connections);
      await fleet.allEnded(20);
      const seconds = (performance.now() - startedAt) / 1_000;
      const cpuMs = (cpuMsOfAll() - cpuBefore) / requests;
      return { [name]: requests / seconds, [`${name}CpuMs`]: cpuMs, workerMb: rssMb(fleet.workers[0]?.pid ?? 0) };
    };
    await round(count / 3); // warm-up
    return () => round(count);
  };
}
