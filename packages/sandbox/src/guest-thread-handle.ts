import { Worker } from 'node:worker_threads';
import { UnavailableError } from '@sluice/domain';
import type { GuestAnswer, GuestCall, GuestOutcome, GuestThreadOptions } from './protocol.ts';

/** This file's own ending tells which of the two forms of the thread's file stands beside it. */
const isSource = import.meta.url.endsWith('.ts');
const threadFile = new URL(isSource ? './guest-thread.ts' : './guest-thread.js', import.meta.url);

/** In place of the process's own flags: the condition makes workspace packages resolve to the same form as this file. */
export const threadFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  ...(isSource ? ['--conditions=source'] : []),
];

/** What a thread gets beyond the call's own limit before it is ended from outside: it should have stopped the guest itself. */
const graceMs = 250;

/** Bounds of the thread's own heap: it holds request and reply as text, beside the guest's linear memory. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8, stackSizeMb: 3 };

/** How a call ended, how long the guest had it, and what that cost where the thread could say so. */
export interface TimedOutcome {
  outcome: GuestOutcome;
  durationMs: number;
  cpuMs: number | undefined;
}

type Settled = Pick<TimedOutcome, 'outcome' | 'cpuMs'>;

/**
 * The host's side of one thread: starting → idle ⇄ busy → ended. It ends for good at a missed deadline, an abort, a fault, or
 * `terminate`. It has an empty environment, and does not keep the process alive while it is idle.
 */
export class GuestThread {
  /** Resolves when the thread is gone. */
  readonly exited: Promise<void>;
  readonly lowPriority: boolean;
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  #settle: PromiseWithResolvers<Settled> | undefined;
  #ended = false;

  constructor(options: GuestThreadOptions) {
    this.lowPriority = options.lowPriority;
    this.#worker = new Worker(threadFile, {
      env: {},
      execArgv: [...threadFlags],
      workerData: options,
      resourceLimits,
      stdout: true,
      stderr: true,
    });
    const exited = Promise.withResolvers<void>();
    this.exited = exited.promise;
    this.#worker.on('message', (message: GuestAnswer | 'ready') => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => {
      this.#fail(undefined);
      exited.resolve();
    });
    this.#worker.unref();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Ends the thread; a call in flight rejects with an `UnavailableError`. */
  async terminate(): Promise<void> {
    this.#end((call) => call.reject(closedError()));
    await this.exited;
  }

  /** One call at a time. The clock starts when the thread is up, as `onBegin` tells. Rejects with the signal's reason as soon as it fires. */
  async call(call: GuestCall, signal: AbortSignal, onBegin?: () => void): Promise<TimedOutcome> {
    signal.throwIfAborted();
    if (this.#ended) throw closedError();
    const settle = Promise.withResolvers<Settled>();
    this.#settle = settle;
    const onAbort = () => this.#end(({ reject }) => reject(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#worker.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([this.#ready.promise, settle.promise]);
      const startedAt = performance.now();
      onBegin?.();
      timer = setTimeout(() => this.#end(({ resolve }) => resolve(failed('timeout'))), call.timeoutMs + graceMs);
      if (!this.#ended) this.#worker.postMessage(call);
      return { ...(await settle.promise), durationMs: performance.now() - startedAt };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#settle = undefined;
      if (!this.#ended) this.#worker.unref();
    }
  }

  #receive(message: GuestAnswer | 'ready'): void {
    if (message === 'ready') this.#ready.resolve();
    else this.#settle?.resolve(message);
  }

  #fail(error: unknown): void {
    this.#end(({ resolve, reject }) => {
      if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') resolve(failed('memory'));
      else reject(new UnavailableError('a sandbox thread has failed', error));
    });
  }

  #end(settle: (call: PromiseWithResolvers<Settled>) => void): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#settle) settle(this.#settle);
    this.#worker.ref(); // so that whoever waits for its end lives to see it
    void this.#worker.terminate();
  }
}

/** What is told in place of a thread that is ended. */
function failed(failure: 'timeout' | 'memory'): Settled {
  return { outcome: { failure }, cpuMs: undefined };
}

function closedError(): UnavailableError {
  return new UnavailableError('the sandbox is closed');
}

/** Errors of a thread come from another realm: their class says nothing. */
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
