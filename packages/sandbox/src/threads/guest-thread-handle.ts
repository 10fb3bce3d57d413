import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { codeOf, containerMemory, sandboxKilled, UnavailableError } from '@sluice/domain';
import { closedError } from '../errors.ts';
import type { FileReader, FileRequest, GuestOutcome, GuestResult, GuestTask, GuestThreadOptions } from '../protocol.ts';
import { wallTimeFactor } from './call-timer.ts';

/** This file's extension shows whether the thread's file is source or compiled. */
const isSource = import.meta.url.endsWith('.ts');
const threadFile = new URL(isSource ? './guest-thread.ts' : './guest-thread.js', import.meta.url);

/**
 * Replaces the process's flags: the condition makes workspace packages resolve to the same form as
 * this file.
 */
export const threadFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  ...(isSource ? ['--conditions=source'] : []),
];

/**
 * A thread gets only one of the process's variables, the directory of compiled modules, to start
 * faster.
 */
const compileCache = getCompileCacheDir();
const threadEnvironment = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache };

/**
 * Milliseconds after a call's wall time limit until the thread is terminated; the guest should have
 * stopped by itself.
 */
const graceMs = 250;

/** Maximum milliseconds until a thread is ready for its first call, even on a busy machine. */
export const startTimeoutMs = 60_000;

/**
 * Limits of the thread's own heap, which holds request and reply as text in addition to the guest's
 * linear memory. Garbage stays in it up to its limit, so a small container has a lower one.
 */
const resourceLimits = {
  maxOldGenerationSizeMb: Math.floor(Math.min(256, Math.max(96, containerMemory() / 1024 ** 2 / 8))),
  maxYoungGenerationSizeMb: 8,
  stackSizeMb: 3,
};

/** A call's outcome, the time that counts toward its limit, and its CPU time if known. */
export interface TimedOutcome {
  outcome: GuestOutcome;
  durationMs: number;
  cpuMs: number | undefined;
}

/** Host functions that a call uses while it runs. */
interface CallHooks {
  /** Called when the call's clock starts. */
  onBegin?: () => void;
  /** Absent: the call cannot read files. */
  readFile?: FileReader | undefined;
}

type Settled = Pick<TimedOutcome, 'outcome' | 'cpuMs'> & { durationMs?: number };

/**
 * The host's side of one thread: starting → idle ⇄ busy → ended. It ends permanently at an exceeded
 * limit, an abort, a fault, or `terminate`. It has none of the process's settings, and it does not
 * keep the process alive while idle.
 */
export class GuestThread {
  /** Resolves when the thread has ended. */
  readonly exited: Promise<void>;
  readonly lowPriority: boolean;
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  #settle: PromiseWithResolvers<Settled> | undefined;
  #readFile: FileReader | undefined;
  #ended = false;

  constructor(options: GuestThreadOptions) {
    this.lowPriority = options.lowPriority;
    this.#worker = new Worker(threadFile, {
      env: threadEnvironment,
      execArgv: [...threadFlags],
      workerData: options,
      resourceLimits,
      stdout: true,
      stderr: true,
    });
    const exited = Promise.withResolvers<void>();
    this.exited = exited.promise;
    this.#worker.on('message', (message: GuestResult | FileRequest | 'ready') => this.#receive(message));
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

  /** Terminates the thread; a call in flight rejects with an `UnavailableError`. */
  async terminate(): Promise<void> {
    this.#end((call) => call.reject(closedError()));
    await this.exited;
  }

  /**
   * Runs one call at a time. The clock starts when the thread is ready. Rejects with the signal's
   * reason as soon as it fires, with the error of `readFile`, and with an `UnavailableError` if the
   * thread fails or is not ready within `startTimeoutMs`.
   */
  async call(task: GuestTask, signal: AbortSignal, { onBegin, readFile }: CallHooks = {}): Promise<TimedOutcome> {
    signal.throwIfAborted();
    if (this.#ended) throw closedError();
    const settle = Promise.withResolvers<Settled>();
    this.#settle = settle;
    this.#readFile = readFile;
    const onAbort = () => this.#end(({ reject }) => reject(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    this.#worker.ref();
    let timer = setTimeout(() => this.#end(({ reject }) => reject(lateError())), startTimeoutMs);
    try {
      await Promise.race([this.#ready.promise, settle.promise]);
      clearTimeout(timer);
      const startedAt = performance.now();
      onBegin?.();
      timer = setTimeout(() => this.#kill('timeout'), task.call.timeoutMs * wallTimeFactor + graceMs);
      if (!this.#ended) this.#worker.postMessage(task);
      const settled = await settle.promise;
      return { ...settled, durationMs: settled.durationMs ?? performance.now() - startedAt };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#settle = undefined;
      this.#readFile = undefined;
      if (!this.#ended) this.#worker.unref();
    }
  }

  #receive(message: GuestResult | FileRequest | 'ready'): void {
    if (message === 'ready') this.#ready.resolve();
    else if ('fileId' in message) void this.#sendFile(message.fileId);
    else this.#settle?.resolve(message);
  }

  /** The call waits for the reply, so it is still the same call. */
  async #sendFile(fileId: string): Promise<void> {
    try {
      const reply = (await this.#readFile?.(fileId)) ?? { refusal: 'this code cannot read files' };
      if (!this.#ended) this.#worker.postMessage(reply);
    } catch (error) {
      this.#end(({ reject }) => reject(error));
    }
  }

  #fail(error: unknown): void {
    this.#end(({ resolve, reject }) => {
      const isMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
      sandboxKilled.publish({ reason: isMemory ? 'memory' : 'fault' });
      if (isMemory) resolve(failed('memory'));
      else reject(new UnavailableError('a sandbox thread has failed', error));
    });
  }

  #kill(reason: 'timeout'): void {
    sandboxKilled.publish({ reason });
    this.#end(({ resolve }) => resolve(failed(reason)));
  }

  #end(settle: (call: PromiseWithResolvers<Settled>) => void): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#settle) settle(this.#settle);
    this.#worker.ref(); // keeps the process alive until the thread has ended
    void this.#worker.terminate();
  }
}

/** The outcome of a call whose thread was terminated. */
function failed(failure: 'timeout' | 'memory'): Settled {
  return { outcome: { failure }, cpuMs: undefined };
}

function lateError(): UnavailableError {
  return new UnavailableError('a sandbox thread did not start in time');
}
