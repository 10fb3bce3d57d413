import { createRequire } from 'node:module';

/** The part of the library's queue of requests that is changed here. */
interface RequestQueue {
  /** -1 unless the cluster has asked for a pause. */
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

let isPatched = false;

/** Loads `kafkajs`, which calls `setTimeout` with a negative delay for each request that it does not hold back; Node warns of that. */
export async function loadKafka(): Promise<typeof import('kafkajs')> {
  // A CommonJS module whose names Node cannot see.
  const library = (await import('kafkajs')).default;
  if (!isPatched)
    clampDelays(createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as { prototype: RequestQueue });
  isPatched = true;
  return library;
}

function clampDelays({ prototype }: { prototype: RequestQueue }): void {
  const { scheduleCheckPendingRequests } = prototype;
  prototype.scheduleCheckPendingRequests = function () {
    this.throttledUntil = Math.max(this.throttledUntil, Date.now());
    scheduleCheckPendingRequests.call(this);
  };
}
