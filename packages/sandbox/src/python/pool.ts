import { UnavailableError } from '@sluice/domain';
import { FairQueue } from '../fair-queue.ts';
import { maxRequestLength } from '../limits.ts';
import type { GuestCall } from '../protocol.ts';
import type { CallOrigin } from '../thread-shares.ts';
import { runPython, type TimedPythonOutcome } from './process.ts';

/**
 * Maximum number of concurrent processes, one per workflow. Each takes about 300 MiB and most of a
 * core.
 */
const maxProcesses = 2;

interface Waiting extends PromiseWithResolvers<void> {
  workflowId: string;
}

/**
 * Python for Code nodes: one process per call. Calls wait in a `FairQueue`.
 */
export class PythonPool {
  readonly #memoryMb: number;
  readonly #waiting = new FairQueue<Waiting>();
  /** Workflows with a running process. */
  readonly #running = new Set<string>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor({ memoryMb }: { memoryMb: number }) {
    this.#memoryMb = memoryMb;
  }

  get maxRequestLength(): number {
    return maxRequestLength(this.#memoryMb * 1024 * 1024);
  }

  /** Rejects with the signal's reason as soon as it fires, and with an `UnavailableError` once the pool is closed. */
  async run(call: GuestCall, origin: CallOrigin, signal: AbortSignal): Promise<TimedPythonOutcome> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    await this.#place(origin, ended);
    const { request, image, timeoutMs } = call;
    const needsJmespath = image === 'full';
    const done = runPython({ request, needsJmespath, timeoutMs, memoryMb: this.#memoryMb }, ended);
    this.#calls.add(done);
    try {
      return await done;
    } finally {
      this.#calls.delete(done);
      this.#running.delete(origin.workflowId);
      this.#serve();
    }
  }

  /** Kills all processes and the calls in flight. */
  async close(): Promise<void> {
    this.#closing.abort(new UnavailableError('the sandbox is closed'));
    await Promise.allSettled(this.#calls);
  }

  async #place(origin: CallOrigin, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waiting: Waiting = { ...Promise.withResolvers<void>(), workflowId: origin.workflowId };
    const onAbort = () => {
      if (this.#waiting.remove(origin, waiting)) waiting.reject(signal.reason);
    };
    this.#waiting.add(origin, waiting);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#serve();
    try {
      await waiting.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #serve(): void {
    while (this.#running.size < maxProcesses) {
      const next = this.#waiting.next(({ workflowId }) => !this.#running.has(workflowId));
      if (!next) return;
      this.#running.add(next.workflowId);
      next.resolve();
    }
  }
}
