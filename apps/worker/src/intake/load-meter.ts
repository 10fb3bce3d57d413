import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { WorkerLoad } from '@sluice/db';
import { containerMemory } from '@sluice/domain';

interface LoadMeterOptions {
  /** Executions in flight. */
  active: () => number;
  /** Current limit of executions in flight. */
  capacity: () => number;
}

const resolutionMs = 20;

/**
 * Returns the load of this process on each call. The event loop delay is the maximum since the
 * previous call.
 */
export function createLoadMeter({ active, capacity }: LoadMeterOptions): () => WorkerLoad {
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  return () => {
    const loopLagMs = delays ? Math.max(0, Math.round(delays.max / 1e6) - resolutionMs) : 0;
    delays?.reset();
    if (!delays) {
      delays = monitorEventLoopDelay({ resolution: resolutionMs });
      delays.enable();
    }
    return {
      active: active(),
      capacity: capacity(),
      memoryBytes: process.memoryUsage.rss(),
      memoryLimitBytes: memoryLimit(),
      loopLagMs,
    };
  };
}

/** The container's limit, or else the heap's. */
function memoryLimit(): number | null {
  const container = containerMemory();
  return Number.isFinite(container) ? container : getHeapStatistics().heap_size_limit;
}
