import { currentMemory, type MemoryReservation, RecentUsers } from '@sluice/domain';
import { closedError } from '../errors.ts';
import { FairQueue, waitForTurn } from '../fair-queue.ts';
import { maxOutputSize, maxRequestLength, sizeOf } from '../limits.ts';
import type { GuestCall } from '../protocol.ts';
import type { CallOrigin } from '../thread-limits.ts';
import { runPython, type TimedPythonOutcome } from './process.ts';

/**
 * Maximum number of concurrent processes, one per workflow. Each takes about 300 MiB and most of a
 * core.
 */
const maxProcesses = 2;

/**
 * Python for Code nodes: one process per call. Calls wait in a `FairQueue`. While several projects
 * use Python, each has half of the processes at most, so that endless code of one project does not
 * delay the others.
 */
export class PythonPool {
  readonly #memoryMb: number;
  readonly #waiting = new FairQueue<PromiseWithResolvers<void> & { origin: CallOrigin }>();
  /** Workflows with a running process, and their projects. */
  readonly #running = new Map<string, string>();
  readonly #projects = new RecentUsers();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor({ memoryMb }: { memoryMb: number }) {
    this.#memoryMb = memoryMb;
  }

  get maxRequestLength(): number {
    return maxRequestLength(this.#memoryMb * 1024 * 1024);
  }

  /**
   * Rejects with the signal's reason as soon as it fires, and with an `UnavailableError` once the
   * pool is closed.
   */
  async run(call: GuestCall, origin: CallOrigin, signal: AbortSignal): Promise<TimedPythonOutcome> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    const memory = currentMemory();
    await this.#placeWithMemory(origin, memory, ended).catch((error: unknown) => {
      memory?.forgoResult();
      throw error;
    });
    const { request, image, timeoutMs } = call;
    const needsJmespath = image === 'full';
    const done = runPython({ request, needsJmespath, timeoutMs, memoryMb: this.#memoryMb }, ended);
    this.#calls.add(done);
    let timed: TimedPythonOutcome | undefined;
    try {
      timed = await done;
      return timed;
    } finally {
      memory?.countResult(sizeOf(timed?.outcome), maxOutputSize);
      this.#calls.delete(done);
      this.#releaseSlot(origin);
    }
  }

  /** Kills all processes and the calls in flight. */
  async close(): Promise<void> {
    this.#closing.abort(closedError());
    await Promise.allSettled(this.#calls);
  }

  /** Waits without a slot while there is no memory for a result. */
  async #placeWithMemory(origin: CallOrigin, memory: MemoryReservation | undefined, signal: AbortSignal): Promise<void> {
    await this.#takeSlot(origin, signal);
    for (let wait = memory?.reserveResult(maxOutputSize); wait; wait = memory?.reserveResult(maxOutputSize)) {
      this.#releaseSlot(origin);
      await wait;
      await this.#takeSlot(origin, signal);
    }
  }

  #takeSlot(origin: CallOrigin, signal: AbortSignal): Promise<void> {
    this.#projects.note(origin.projectId);
    return waitForTurn(this.#waiting, { ...Promise.withResolvers<void>(), origin }, signal, () => this.#serve());
  }

  #releaseSlot({ workflowId }: CallOrigin): void {
    this.#running.delete(workflowId);
    this.#serve();
  }

  #serve(): void {
    while (this.#running.size < maxProcesses) {
      const next = this.#waiting.next(({ origin }) => this.#mayBegin(origin));
      if (!next) return;
      this.#running.set(next.origin.workflowId, next.origin.projectId);
      next.resolve();
    }
  }

  #mayBegin({ workflowId, projectId }: CallOrigin): boolean {
    const ofProject = [...this.#running.values()].filter((id) => id === projectId).length;
    const perProject = this.#projects.areSeveral ? maxProcesses / 2 : maxProcesses;
    return !this.#running.has(workflowId) && ofProject < perProject;
  }
}
