import { Worker } from 'node:worker_threads';
import { type ExecuteContext, errorMessage, NodeOperationError } from '@sluice/node-sdk';
import { Slots } from './slots.ts';
import type { FormatTasks, TaskMessage, TaskName, ThreadMessage } from './tasks.ts';

/** Milliseconds that one file may take. */
const deadlineMs = 60_000;

const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Files that threads of this process are at: what they may use of memory, and of the machine, is times this. Held for one file at a time. */
const slots = new Slots(2);

/** This file's own ending tells which of the two forms of the thread's file stands beside it. */
const isSource = import.meta.url.endsWith('.ts');
const threadFile = new URL(isSource ? './format-thread-main.ts' : './format-thread-main.js', import.meta.url);

/** In place of the process's own flags: the condition makes workspace packages resolve to the same form as this file. */
const threadFlags = ['--disable-warning=ExperimentalWarning', ...(isSource ? ['--conditions=source'] : [])];

/** A file that could not be read or written; the message says why, in words that stand after a colon. */
export class FormatError extends Error {}

/** What the reader itself said. */
class ReaderError extends FormatError {}

/**
 * Reads and writes formats whose libraries work in one go, on a thread of its own: a hostile file costs the others nothing but a share of
 * the machine, and at most a deadline and a bound of memory. absent → idle ⇄ busy → absent: the thread starts with the first task, ends
 * at a missed deadline, an abort or a fault, and starts anew for the next task. It sees no environment variables.
 */
export class FormatThread {
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;
  #worker: Worker | undefined;

  constructor(signal: AbortSignal, timeoutMs: number = deadlineMs) {
    this.#signal = signal;
    this.#deadlineMs = timeoutMs;
  }

  /** The parts of a task's result; one task at a time. Throws a `FormatError`, or the reason of the signal. */
  async run<Name extends TaskName>(name: Name, input: FormatTasks[Name]['input']): Promise<FormatTasks[Name]['part'][]> {
    const release = await slots.take(this.#signal);
    try {
      return await this.#runNow(name, input);
    } finally {
      release();
    }
  }

  async #runNow<Name extends TaskName>(name: Name, input: FormatTasks[Name]['input']): Promise<FormatTasks[Name]['part'][]> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    try {
      return await answerOf(worker, { name, input } as TaskMessage, this.#signal, this.#deadlineMs);
    } catch (error) {
      // Whatever else it is, the thread cannot be trusted to be idle.
      if (!(error instanceof ReaderError)) await this.close();
      throw error;
    }
  }

  #start(): Worker {
    const worker = startThread();
    // A library may stumble after its task is done: the next one gets another thread.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Gives `work` a thread for the files of one node run, and ends it afterwards. */
export async function withFormatThread<T>({ signal }: ExecuteContext, work: (formats: FormatThread) => Promise<T>): Promise<T> {
  const thread = new FormatThread(signal);
  try {
    return await work(thread);
  } finally {
    await thread.close();
  }
}

/** A `FormatError` as the failure of an item: `the CSV file cannot be read: …`. Others are thrown as they are. */
export function formatFailure(error: unknown, what: string, itemIndex: number, description: string): unknown {
  if (!(error instanceof FormatError)) return error;
  return new NodeOperationError(`${what}: ${error.message}`, { itemIndex, description });
}

function startThread(): Worker {
  const worker = new Worker(threadFile, {
    env: {},
    execArgv: threadFlags,
    resourceLimits,
    stdout: true,
    stderr: true,
  });
  // What libraries print is nobody's.
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** The parts that the thread sends for a task. Rejects with a `ReaderError` where the thread is idle afterwards. */
async function answerOf<T>(worker: Worker, task: TaskMessage, signal: AbortSignal, timeoutMs: number): Promise<T[]> {
  const { promise, resolve, reject } = Promise.withResolvers<T[]>();
  const parts: T[] = [];
  const listen = (message: ThreadMessage) => {
    if ('part' in message) parts.push(message.part as T);
    else if ('failure' in message) reject(new ReaderError(message.failure));
    else resolve(parts);
  };
  const crash = (error: unknown) => reject(new FormatError(crashText(error)));
  const exit = () => reject(new FormatError('its reader ended'));
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new FormatError(`it takes more than ${timeoutMs} ms`)), timeoutMs);
  worker.on('message', listen).on('error', crash).on('exit', exit);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    worker.postMessage(task);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    worker.off('message', listen).off('error', crash).off('exit', exit);
  }
}

function crashText(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs more memory than a file may take' : errorMessage(error);
}
