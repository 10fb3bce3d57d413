import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import {
  codeOf,
  containerMemory,
  currentMemory,
  dataSize,
  type ExecuteContext,
  errorMessage,
  parseJson,
  Slots,
  TimeSlice,
} from '@sluice/node-sdk';
import { errorFields } from './error-fields.ts';
import { startTaskTimer, threadClock } from './task-timer.ts';
import type { AskHost, Parts, ResponseMessage, TaskMessage, ThreadMessage, ThreadTask } from './thread-messages.ts';

const mib = 1024 * 1024;

/** Four threads with half of their limits take three eighths of a container's memory. */
const containerShare = (containerMemory() / mib / 16) * 3;
const resourceLimits = {
  maxOldGenerationSizeMb: Math.floor(Math.min(384, containerShare)),
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
};

/**
 * Maximum number of bytes in the buffers of a thread, which are outside of its heap: an archive
 * that expands to 128 MiB is copied a few times, but a compressed stream in a PDF may expand to
 * gigabytes.
 */
const maxBufferBytes = Math.min(640, containerShare * 1.5) * mib;
const bufferCheckMs = 100;

/**
 * Memory that must be free before a task starts, for its result. A larger result is counted once it
 * is there.
 */
const usualResultBytes = 32 * mib;

/**
 * Small inputs have separate slots and a short timeout, so that no large file delays them. The
 * slots of both lanes bound the memory and CPU that threads use.
 */
const lanes = {
  small: { slots: new Slots(2), deadlineMs: 10_000 },
  large: { slots: new Slots(2), deadlineMs: 60_000 },
};

/** Maximum size of a small input, in characters or bytes. */
const smallInput = 256 * 1024;

/** How long an idle thread is kept for its owner, and the maximum number of idle threads. */
const idleMs = 15_000;
const maxIdle = 2;

/**
 * The thread's file exists in the same form as this one: TypeScript source or compiled JavaScript.
 */
const isSource = import.meta.url.endsWith('.ts');
const threadFile = new URL(isSource ? './work-thread.ts' : './work-thread.js', import.meta.url);

/**
 * Replaces the process's own flags: the condition makes workspace packages resolve to the same form
 * as this file.
 */
const threadFlags = ['--disable-warning=ExperimentalWarning', ...(isSource ? ['--conditions=source'] : [])];

/**
 * A thread receives only one of the process's variables, the directory of compiled modules, so that
 * it starts faster.
 */
const compileCache = getCompileCacheDir();
const threadEnvironment = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache };

/**
 * A task that failed or was terminated; the message contains the reason, phrased to follow a colon.
 */
export class ThreadError extends Error {}

/** An error that the task itself reported: its thread is still usable. */
class TaskError extends ThreadError {}

/** Slots that tasks compete for, and a task's time limit in milliseconds; see `startTaskTimer`. */
interface Lane {
  slots: Slots;
  deadlineMs: number;
}

/** Owner and limits of a task. */
export interface TaskOptions {
  /**
   * The data's owner. Workflows share no idle thread; projects, and their workflows, take turns.
   */
  owner: Pick<ExecuteContext['workflow'], 'id' | 'projectId'>;
  /** Ends the task when it fires. */
  signal: AbortSignal;
  /** Input size in characters or bytes. */
  size: number;
  /** Default: 10 s for a small input, 60 s for a large one. */
  deadlineMs?: number;
  /**
   * Whether to end the thread after the task, and thereby free memory that a library does not
   * release (WebAssembly). Default: it is kept. A function decides based on the result's parts;
   * after an error, the thread ends.
   */
  once?: boolean | ((parts: readonly unknown[]) => boolean);
  /** Default: the lane of its size. */
  lane?: Lane;
  /** Responds to the task's `ask` messages. */
  host?: AskHost;
}

/**
 * Address of a task's module next to the caller's own file, in the form (source or compiled) that
 * the caller has.
 */
export function taskModule(name: string, callerUrl: string): string {
  return new URL(`./${name}.${callerUrl.endsWith('.ts') ? 'ts' : 'js'}`, callerUrl).href;
}

/**
 * Runs a task on a thread without the process's environment variables, with a bounded heap and a
 * deadline, and resolves to the parts of its result. This package does all indivisible work whose
 * cost depends on untrusted input this way.
 *
 * A thread that missed its deadline, ran out of memory or was aborted is terminated. Others stay
 * idle for 15 s and serve only the same workflow again, so no state of a library reaches another
 * tenant. Throws a `ThreadError` or the signal's reason.
 */
export async function runOnThread<T>(module: string, input: unknown, options: TaskOptions): Promise<T[]> {
  const lane = options.lane ?? (options.size <= smallInput ? lanes.small : lanes.large);
  const release = await takeSlot(lane.slots, options).catch((error: unknown) => {
    currentMemory()?.forgoResult();
    throw error;
  });
  const asking = { deadlineMs: lane.deadlineMs, ...options };
  try {
    return await runOn<T>(takeIdle(options.owner.id) ?? startThread(), { module, input }, asking);
  } finally {
    currentMemory()?.countResult(0, usualResultBytes);
    release();
  }
}

/** Waits without a slot while there is no memory for a result. */
async function takeSlot(slots: Slots, { owner, signal }: TaskOptions): Promise<() => void> {
  for (;;) {
    const release = await slots.take(owner.id, signal, owner.projectId);
    const memoryFree = currentMemory()?.reserveResult(usualResultBytes);
    if (!memoryFree) return release;
    release();
    await memoryFree;
  }
}

async function runOn<T>(worker: Worker, task: TaskMessage, options: Asking): Promise<T[]> {
  const { once = false } = options;
  let isKept = false;
  try {
    const answer = await answerOf(worker, task, options);
    isKept = once === false;
    currentMemory()?.countResult(sizeOf(answer), 0);
    const parts = await readParts<T>(answer);
    isKept ||= typeof once === 'function' && !once(parts);
    return parts;
  } catch (error) {
    isKept ||= once === false && error instanceof TaskError;
    throw error;
  } finally {
    if (isKept) keepIdle(options.owner.id, worker);
    else await worker.terminate();
  }
}

/**
 * Maximum number of characters that a linear-time parser reads on the event loop: a few
 * milliseconds, less than starting a thread takes.
 */
const inlineInput = 16 * 1024;

/**
 * `runOnThread` for a task whose cost is proportional to its input size: a task with a small input
 * runs on the event loop. Also throws the task's own errors.
 */
export async function runUnlessSmall<T>(
  { module, task }: { module: string; task: ThreadTask<never> },
  input: unknown,
  options: TaskOptions,
): Promise<T[]> {
  if (options.size > inlineInput) return runOnThread<T>(module, input, options);
  const parts: T[] = [];
  const refuse = () => Promise.reject(new Error('this task sends no requests to its host'));
  for await (const part of task(input as never, refuse)) parts.push(part as T);
  return parts;
}

interface IdleThread {
  workflowId: string;
  worker: Worker;
  expiry: NodeJS.Timeout;
}

/** Longest idle first. */
let idle: IdleThread[] = [];

function takeIdle(workflowId: string): Worker | undefined {
  const idleThread = idle.findLast((thread) => thread.workflowId === workflowId);
  if (!idleThread) return undefined;
  forget(idleThread.worker);
  idleThread.worker.ref();
  return idleThread.worker;
}

function keepIdle(workflowId: string, worker: Worker): void {
  worker.unref();
  idle.push({ workflowId, worker, expiry: setTimeout(() => end(worker), idleMs).unref() });
  const [oldest] = idle;
  if (idle.length > maxIdle && oldest) end(oldest.worker);
}

function end(worker: Worker): void {
  forget(worker);
  void worker.terminate();
}

function forget(worker: Worker): void {
  clearTimeout(idle.find((thread) => thread.worker === worker)?.expiry);
  idle = idle.filter((thread) => thread.worker !== worker);
}

function startThread(): Worker {
  const worker = new Worker(threadFile, {
    env: threadEnvironment,
    execArgv: threadFlags,
    resourceLimits,
    stdout: true,
    stderr: true,
  });
  // A library may fail after its task has ended: the next task gets another thread.
  worker.on('error', () => {}).once('exit', () => forget(worker));
  return worker;
}

interface Asking extends TaskOptions {
  deadlineMs: number;
}

/** The parts that the thread sends. Rejects with a `TaskError` if the thread is idle afterwards. */
async function answerOf(worker: Worker, task: TaskMessage, { signal, deadlineMs, host }: Asking): Promise<Parts[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Parts[]>();
  const parts: Parts[] = [];
  const listen = (message: ThreadMessage) => {
    if ('ask' in message) void answer(worker, message, host);
    else if ('failure' in message) reject(new TaskError(message.failure));
    else if ('end' in message) resolve(parts);
    else parts.push(message);
  };
  const crash = (error: unknown) => reject(new ThreadError(crashText(error)));
  const exit = () => reject(new ThreadError('its reader ended'));
  const abort = () => reject(signal.reason);
  const expire = () => reject(new ThreadError(`it takes more than ${deadlineMs} ms`));
  using _timer = startTaskTimer(threadClock(worker), deadlineMs, expire);
  const bufferCheck = setInterval(async () => {
    // Also answered by a thread that is busy. Rejects once it has ended.
    const usage = await worker.getHeapStatistics().catch(() => undefined);
    if (usage && usage.external_memory > maxBufferBytes) reject(new ThreadError(tooMuchMemory));
  }, bufferCheckMs);
  worker.on('message', listen).on('error', crash).on('exit', exit);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    worker.postMessage(task);
    return await promise;
  } finally {
    clearInterval(bufferCheck);
    signal.removeEventListener('abort', abort);
    worker.off('message', listen).off('error', crash).off('exit', exit);
  }
}

async function answer(
  worker: Worker,
  { ask, method, args }: { ask: number; method: string; args: unknown[] },
  host: AskHost | undefined,
): Promise<void> {
  const reply = (message: ResponseMessage) => worker.postMessage(message);
  try {
    if (!host) throw new Error(`the task may not request ${method}`);
    reply({ answer: ask, value: await host(method, ...args) });
  } catch (error) {
    reply({ answer: ask, failure: errorFields(error) });
  }
}

/** Memory that a result needs. */
function sizeOf(messages: readonly Parts[]): number {
  return messages.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.byteLength : dataSize(part.json.length)), 0);
}

/** In time slices: a hostile file may contain millions of values. */
async function readParts<T>(messages: readonly Parts[]): Promise<T[]> {
  const parts: unknown[] = [];
  const slice = new TimeSlice();
  for (const message of messages) {
    if ('bytes' in message) parts.push(message.bytes);
    else for (const part of (await parseJson(message.json)) as unknown[]) parts.push(part);
    if (slice.isOver) await slice.next();
  }
  return parts as T[];
}

const tooMuchMemory = 'it needs more memory than a task may take';

function crashText(error: unknown): string {
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory : errorMessage(error);
}
