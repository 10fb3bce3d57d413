import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { Readable, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { excessOf, GatheredBytes, OnDemand, sandboxKilled, UnavailableError, untilAborted } from '@sluice/domain';
import { maxLogLength, maxOutputDepth, maxOutputLength } from '../limits.ts';
import type { GuestOutcome } from '../protocol.ts';
import { importsSource, preludeSource } from './prelude.ts';
import { realmSource } from './realm.ts';

/** The program exists in the same form as this file: TypeScript source or compiled JavaScript. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * Nothing is allowed: no files, network, processes, threads, or add-ons. The program arrives as
 * text, its files as descriptors.
 */
export const pythonFlags: readonly string[] = [
  '--permission',
  '--disallow-code-generation-from-strings',
  '--frozen-intrinsics',
  '--disable-warning=ExperimentalWarning',
  '--unhandled-rejections=none', // warnings would print objects of the realm
  '--disable-sigusr1',
  '--max-old-space-size=256',
  '--input-type=module',
];

/**
 * User and group that only Python uses, if the worker may change the user. The common choice,
 * 65534, is also the user of an embedded Postgres that root starts, which requires no password from
 * its own user.
 */
const ownUser = { uid: 65_533, gid: 65_533 };

const mib = 1024 * 1024;
/** Linear memory that Pyodide uses before any code runs. */
const engineHeapBytes = 32 * mib;
/**
 * Memory of the process beyond the loaded engine and the code's limit: compiled code, copies of
 * strings.
 */
const slackBytes = 256 * mib;
/** Maximum resident memory and time while loading. */
const loadBytes = 1024 * mib;
const loadTimeoutMs = 120_000;
const memoryCheckMs = 20;
/** Maximum UTF-8 length of a reply. */
const maxReplyBytes = 4 * (maxOutputLength + maxLogLength) + mib;
const readyLine = 'ready\n';

interface PythonRun {
  /** A `CodeRequest` for Python, as JSON text. */
  request: string;
  needsJmespath: boolean;
  memoryMb: number;
  timeoutMs: number;
}

export interface TimedPythonOutcome {
  outcome: GuestOutcome;
  /** Milliseconds since Python was loaded. */
  durationMs: number;
}

/** Whether this Node's permission model denies the network; older ones leave it open. */
export function canConfinePython(allowedFlags: ReadonlySet<string> = process.allowedNodeEnvironmentFlags): boolean {
  return allowedFlags.has('--permission') && allowedFlags.has('--allow-net');
}

/**
 * Runs Python code in its own process, which is killed at the deadline, at the limits of
 * memory and output, and when `signal` fires. Rejects with the signal's reason, or with an
 * `UnavailableError` if the process cannot be started.
 */
export async function runPython(run: PythonRun, signal: AbortSignal): Promise<TimedPythonOutcome> {
  signal.throwIfAborted();
  const snapshot = await untilAborted(loadedPython.get(), signal);
  const child = start();
  const done = Promise.withResolvers<GuestOutcome>();
  const watch = new MemoryWatch(child, () => done.resolve({ failure: 'memory' }));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let timer = setTimeout(() => done.reject(new UnavailableError('Python was not loaded in time')), loadTimeoutMs);
  let startedAt = performance.now();
  const onReady = () => {
    clearTimeout(timer);
    startedAt = performance.now();
    watch.limitTo(watch.residentBytes() + run.memoryMb * mib + slackBytes);
    timer = setTimeout(() => done.resolve({ failure: 'timeout' }), run.timeoutMs);
  };
  readReply(child, onReady, done);
  try {
    sendTo(child, [`${launchOf(run)}\n`, ...chunksOf(run.request)], snapshot);
    const outcome = await untilAborted(done.promise, signal);
    noteKill(outcome);
    return { outcome, durationMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    watch.stop();
    child.kill('SIGKILL');
    await exited;
  }
}

/**
 * Memory of a process that has loaded Python and run nothing, compressed. Every run starts from it,
 * which takes a quarter of the processor time of loading Python. Created at the first call.
 */
const loadedPython = new OnDemand(makeSnapshot);

async function makeSnapshot(): Promise<Uint8Array> {
  const child = start();
  const closed = once(child, 'close');
  const watch = new MemoryWatch(child, () => child.kill('SIGKILL'));
  const timer = setTimeout(() => child.kill('SIGKILL'), loadTimeoutMs);
  try {
    sendTo(child, [`${launchOf({ needsJmespath: false, memoryMb: 32 })}\n`], new Uint8Array());
    const [bytes, [code]] = await Promise.all([child.stdout && buffer(child.stdout), closed]);
    if (code === 0 && bytes) return bytes;
  } catch (error) {
    throw new UnavailableError('Python cannot be started', error);
  } finally {
    clearTimeout(timer);
    watch.stop();
  }
  throw new UnavailableError('Python could not be loaded');
}

function sendTo(child: ChildProcess, input: readonly string[], snapshot: Uint8Array): void {
  // If its pipes could not be created, the child has no descriptors, and an error follows.
  const [standardInput, , , ...files] = (child.stdio ?? []) as Writable[];
  for (const [stream, parts] of [[standardInput, input] as const, [files.at(-1), [snapshot]] as const]) {
    stream?.on('error', () => {}); // the child has exited: its exit reports the cause
    if (stream) Readable.from(parts).pipe(stream);
  }
}

/** Number of characters encoded at once. */
const chunkLength = 256 * 1024;

/** The text in chunks that never split a surrogate pair. */
function* chunksOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + chunkLength;
    const chunk = text.slice(start, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end);
    yield chunk;
    start += chunk.length;
  }
}

function noteKill(outcome: GuestOutcome): void {
  const { failure } = outcome as { failure?: string };
  if (failure === 'timeout' || failure === 'memory') sandboxKilled.publish({ reason: failure });
}

/**
 * A child with Pyodide's files as descriptors 3 to 6, opened for reading, and a pipe for the
 * snapshot as 7.
 */
function start(): ChildProcess {
  const { resolve } = createRequire(import.meta.url);
  const opened: number[] = [];
  try {
    for (const name of ['pyodide.asm.wasm', 'pyodide.asm.mjs', 'pyodide.mjs', 'python_stdlib.zip']) {
      opened.push(openSync(resolve(`pyodide/${name}`), 'r'));
    }
    return spawn(process.execPath, [...pythonFlags, '--eval', readProgram()], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore', ...opened, 'pipe'],
      ...(process.getuid?.() === 0 && ownUser),
    });
  } catch (error) {
    throw new UnavailableError('Python cannot be started', error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function readProgram(): string {
  const source = readFileSync(new URL(`./child${extension}`, import.meta.url), 'utf8');
  return extension === '.ts' ? stripTypeScriptTypes(source) : source;
}

/** A line of text. */
function launchOf({ needsJmespath, memoryMb }: Pick<PythonRun, 'needsJmespath' | 'memoryMb'>): string {
  const libraries = needsJmespath ? [readFileSync(createRequire(import.meta.url).resolve('jmespath'), 'utf8')] : [];
  return JSON.stringify({
    realm: realmSource,
    libraries,
    texts: { prelude: preludeSource, imports: importsSource },
    maxHeapBytes: engineHeapBytes + memoryMb * mib,
  });
}

/** Settles `done` with the child's output after the line that reports that it is ready. */
function readReply(child: ChildProcess, onReady: () => void, done: PromiseWithResolvers<GuestOutcome>): void {
  const reply = new GatheredBytes();
  let isReady = false;
  child.stdout?.on('data', (chunk: Buffer) => {
    reply.add(chunk);
    if (reply.length > maxReplyBytes) done.resolve({ failure: 'output' });
    if (isReady || reply.length < readyLine.length) return;
    isReady = true;
    onReady();
  });
  child.once('error', (error) => done.reject(new UnavailableError('Python cannot be started', error)));
  child.once('close', (code) => {
    const text = reply.bytes().toString();
    if (!isReady) done.reject(new UnavailableError('Python could not be loaded'));
    else if (code === 0 && text.startsWith(readyLine)) done.resolve(toOutcome(text.slice(readyLine.length)));
    else done.resolve({ failure: 'memory' });
  });
}

/**
 * Applies the limits of JavaScript replies; in time slices, because Python has no separate worker
 * thread for it.
 */
async function toOutcome(reply: string): Promise<GuestOutcome> {
  const isTooMuch = reply.length > maxOutputLength * 2 || (await excessOf(reply, maxOutputDepth));
  return isTooMuch ? { failure: 'output' } : { reply };
}

/**
 * Reads the resident size of a child from /proc, and reports a child over the limit. Outside of
 * Linux, only WebAssembly limits Python's memory.
 */
class MemoryWatch {
  readonly #pid: number | undefined;
  readonly #timer: NodeJS.Timeout;
  #limit = loadBytes;

  constructor({ pid }: ChildProcess, onExceeded: () => void) {
    this.#pid = pid;
    this.#timer = setInterval(() => {
      if (this.residentBytes() > this.#limit) onExceeded();
    }, memoryCheckMs);
    this.#dieFirst();
  }

  limitTo(bytes: number): void {
    this.#limit = bytes;
  }

  residentBytes(): number {
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(this.#read('status'));
    return Number(resident?.[1] ?? 0) * 1024;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #read(name: string): string {
    try {
      return readFileSync(`/proc/${this.#pid}/${name}`, 'utf8');
    } catch {
      return '';
    }
  }

  /** If the machine runs out of memory, it kills this process rather than the worker. */
  #dieFirst(): void {
    try {
      writeFileSync(`/proc/${this.#pid}/oom_score_adj`, '1000');
    } catch {
      // not on Linux, or not allowed: a hint only
    }
  }
}
