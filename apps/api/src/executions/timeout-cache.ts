import type { WorkflowSettings } from '@sluice/domain';

const maxCached = 1_000;
/** `timeout_ms` is a 32-bit integer: 24 days. */
const maxTimeoutMs = 2_147_483_647;

/** Milliseconds that a workflow's settings allow a run; null: no limit. */
export function timeoutOf(settings: WorkflowSettings | undefined): number | null {
  const seconds = settings?.executionTimeout;
  return typeof seconds === 'number' && seconds > 0 ? Math.min(Math.ceil(seconds * 1000), maxTimeoutMs) : null;
}

/** Timeouts of stored graphs by hash: graphs are immutable, and reading a large one for a number on each start is a waste. */
export class TimeoutCache {
  readonly #cached = new Map<string, number | null>();

  async get(graphHash: string, readSettings: () => Promise<WorkflowSettings | undefined>): Promise<number | null> {
    const cached = this.#cached.get(graphHash);
    if (cached !== undefined) return cached;
    const timeoutMs = timeoutOf(await readSettings());
    if (this.#cached.size >= maxCached) this.#cached.clear();
    this.#cached.set(graphHash, timeoutMs);
    return timeoutMs;
  }
}
