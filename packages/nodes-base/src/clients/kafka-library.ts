import { createRequire } from 'node:module';

/** Members of the library's request queue that are changed here. */
interface RequestQueue {
  /** -1 unless the cluster requested throttling. */
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

let isPatched = false;

/**
 * Loads `kafkajs` and stops its calls of `setTimeout` with negative delays, which Node warns about.
 */
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
