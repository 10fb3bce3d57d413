/// <reference path="../webassembly.d.ts" />
import releaseSync from '@jitl/quickjs-wasmfile-release-sync';
import { exceedsDepth } from '@sluice/domain';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { ExtensionCalls } from '../host/extension-calls.ts';
import { hostServices } from '../host/host-services.ts';
import { leastGuestBytes, maxOutputDepth, maxOutputLength, maxRequestLength } from '../limits.ts';
import type { FileReader, GuestCall, GuestImage, GuestLeaf, GuestOutcome } from '../protocol.ts';
import { CallTimer } from './call-timer.ts';
import { type GuestLibrary, readGuestModule, readLibrary, resolveGuestModule } from './guest-modules.ts';
import { MemorySnapshot } from './memory-snapshot.ts';
import { withNativeText } from './native-text.ts';

/**
 * Node loads the package's ES module, but its types describe the CommonJS build, which nests
 * `default`.
 */
const variant = releaseSync as unknown as QuickJSSyncVariant;

const pageBytes = 64 * 1024;
/**
 * Initial memory of a guest: 5 MiB of stack, plus the plain image and a small call. It grows for
 * more, and memory above the stack is scanned after each call.
 */
export const initialPages = 96;
/**
 * QuickJS's own recursion limit. The thread's native stack is larger, so this limit applies first.
 */
const stackBytes = 192 * 1024;
/** A guest whose memory grew beyond this is replaced to release the memory. */
const keepBytes = 32 * 1024 * 1024;
const jobsBetweenClockChecks = 1_000;

/** The functions that `guest/main.ts` exports. */
type GuestFunction =
  | 'setUp'
  | 'useLuxon'
  | 'useBuffer'
  | 'useJmespath'
  | 'methodNames'
  | 'useExpressions'
  | 'evaluateExpressions'
  | 'startCode'
  | 'takeCodeReply'
  | 'untilTimer'
  | 'fireTimer'
  | 'wantedFile'
  | 'assertAllocatable'
  | 'endRead';

/**
 * The memory that a call starts from: an image, with or without the parts that only expressions
 * use.
 */
type GuestState = `${GuestImage} ${GuestCall['run']}`;

/** Parts that an image adds to its base. */
interface ImagePlan {
  base: GuestImage;
  libraries: readonly [name: GuestLibrary, use: GuestFunction][];
}

const imagePlans: Record<Exclude<GuestImage, 'plain'>, ImagePlan> = {
  luxon: { base: 'plain', libraries: [['luxon', 'useLuxon']] },
  full: {
    base: 'luxon',
    libraries: [
      ['buffer', 'useBuffer'],
      ['jmespath', 'useJmespath'],
    ],
  },
};

/**
 * One QuickJS in one WebAssembly memory of bounded size, with our helpers loaded, and its
 * snapshots. The memory is the whole state: a call's objects are not released one by one; restoring
 * the snapshot discards them.
 */
export class GuestInstance {
  readonly #memory: WebAssembly.Memory;
  /**
   * In characters, of up to three bytes each. The engine's glue code does not detect a failed
   * allocation for an argument.
   */
  readonly #maxRequestLength: number;
  readonly #maxBytes: number;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #exports: QuickJSHandle;
  readonly #extensionCalls: ExtensionCalls;
  readonly #snapshots = new Map<GuestState, MemorySnapshot>();
  #state: GuestState = 'plain code';
  /** The limit of the call in progress. */
  #timer: CallTimer | undefined;
  #durationMs = 0;
  #interrupted = false;
  #isIntact = true;

  /** `wasmModule`: the engine, patched to start with `initialPages`. */
  static async create(wasmModule: WebAssembly.Module, memoryMb: number): Promise<GuestInstance> {
    const maximum = Math.floor(Math.max(leastGuestBytes, memoryMb * 1024 * 1024) / pageBytes);
    const wasmMemory = new WebAssembly.Memory({ initial: initialPages, maximum });
    const engine = await newQuickJSWASMModuleFromVariant(
      withNativeText(newVariant(variant, { wasmModule, wasmMemory }), wasmMemory),
    );
    const runtime = engine.newRuntime({ maxStackSizeBytes: stackBytes });
    return new GuestInstance(wasmMemory, maximum * pageBytes, runtime);
  }

  private constructor(memory: WebAssembly.Memory, maxBytes: number, runtime: QuickJSRuntime) {
    this.#memory = memory;
    this.#maxRequestLength = maxRequestLength(maxBytes);
    this.#maxBytes = maxBytes;
    this.#runtime = runtime;
    runtime.setInterruptHandler(() => this.#isOverdue());
    runtime.setModuleLoader(readGuestModule, resolveGuestModule);
    this.#context = runtime.newContext();
    this.#exports = this.#evaluateModule(readGuestModule('./main'), './main');
    runtime.removeModuleLoader();
    this.#invoke(
      'setUp',
      this.#hostFunction((request) => hostServices(request, () => this.#isMemoryFull)),
    );
    this.#extensionCalls = new ExtensionCalls(JSON.parse(this.#context.getString(this.#invoke('methodNames'))));
    this.#takeSnapshot();
  }

  /**
   * False if a call ended abnormally or memory grew: create a new guest instead of restoring this
   * one.
   */
  get reusable(): boolean {
    return this.#isIntact && this.#memory.buffer.byteLength <= keepBytes;
  }

  /** Milliseconds of the last call that count toward its limit. */
  get durationMs(): number {
    return this.#durationMs;
  }

  /** Undoes the effects of a call. */
  restore(): void {
    this.#snapshots.get(this.#state)?.restore(this.#memory.buffer);
  }

  /** Clears memory that only a defect in the engine can have written. Call it between workflows. */
  clearUnused(): void {
    this.#snapshots.get('plain code')?.clearUnused(this.#memory.buffer);
  }

  /**
   * Never rejects. Restore the guest before the next call, and do not start one before this call
   * has ended.
   */
  async run(call: GuestCall, readFile: FileReader): Promise<GuestOutcome> {
    this.#durationMs = 0;
    if (call.request.length > this.#maxRequestLength) return { failure: 'memory' };
    try {
      this.#prepare(call.image, call.run);
      const timer = new CallTimer(call.timeoutMs);
      this.#timer = timer;
      const reply =
        call.run === 'expressions' ? this.#evaluateExpressions(call) : await this.#runCode(call.request, timer, readFile);
      return this.#interrupted ? this.#fail('timeout') : reply;
    } catch (error) {
      return this.#fail(this.#interrupted ? 'timeout' : this.#causeOf(error));
    } finally {
      this.#durationMs = this.#timer?.usedMs ?? 0;
      this.#timer = undefined;
    }
  }

  #evaluateExpressions({ request, leaves }: GuestCall): GuestOutcome {
    const leavesText = JSON.stringify(leaves.map((leaf) => this.#withExtensionCalls(leaf)));
    if (request.length + leavesText.length > this.#maxRequestLength) return this.#fail('memory');
    const [first, second] = [this.#context.newString(request), this.#context.newString(leavesText)];
    return this.#toOutcome(this.#invoke('evaluateExpressions', first, second));
  }

  #withExtensionCalls(leaf: GuestLeaf): GuestLeaf {
    const parts = leaf.parts.map((part) => ('source' in part ? { source: this.#extensionCalls.rewrite(part.source) } : part));
    return { ...leaf, parts };
  }

  /**
   * While the code waits for a timer, the thread sleeps. Reading a file counts toward the wall time
   * only.
   */
  async #runCode(request: string, timer: CallTimer, readFile: FileReader): Promise<GuestOutcome> {
    this.#invoke('startCode', this.#context.newString(request));
    for (;;) {
      this.#runJobs();
      const reply = this.#invoke('takeCodeReply');
      if (this.#context.typeof(reply) === 'string') return this.#toOutcome(reply);
      const fileId = this.#invoke('wantedFile');
      if (this.#context.typeof(fileId) === 'string') {
        await this.#passFile(this.#context.getString(fileId), readFile);
        if (this.#isOverdue()) return { failure: 'timeout' };
        continue;
      }
      const wait = this.#invoke('untilTimer');
      if (this.#context.typeof(wait) !== 'number') return { failure: 'pending' };
      await timer.sleep(this.#context.getNumber(wait));
      if (this.#isOverdue()) return { failure: 'timeout' };
      this.#invoke('fireTimer');
    }
  }

  /** The guest tries to allocate the memory first, because the glue code does not detect a failed allocation. */
  async #passFile(fileId: string, readFile: FileReader): Promise<void> {
    const context = this.#context;
    const reply = await readFile(fileId);
    if ('refusal' in reply) {
      this.#invoke('endRead', context.newString(reply.refusal));
      return;
    }
    const { content } = reply;
    this.#invoke('assertAllocatable', context.newNumber(content.byteLength));
    // Without the copy, the guest would get the buffer of a whole pool of chunks.
    const buffer = context.newArrayBuffer(content.slice().buffer);
    this.#invoke('endRead', buffer);
    buffer.dispose();
  }

  #runJobs(): void {
    while (this.#runtime.hasPendingJob() && !this.#isOverdue()) {
      const { error } = this.#runtime.executePendingJobs(jobsBetweenClockChecks);
      if (error) throw new GuestFault(error.context.dump(error));
    }
  }

  #toOutcome(handle: QuickJSHandle): GuestOutcome {
    const reply = this.#context.getString(handle);
    return reply.length > maxOutputLength * 2 || exceedsDepth(reply, maxOutputDepth) ? { failure: 'output' } : { reply };
  }

  #prepare(image: GuestImage, run: GuestCall['run']): void {
    const state: GuestState = `${image} ${run}`;
    if (state === this.#state) return;
    const snapshot = this.#snapshots.get(state);
    if (snapshot) snapshot.restore(this.#memory.buffer);
    else this.#build(image, run);
    this.#state = state;
    if (!snapshot) this.#takeSnapshot();
  }

  #build(image: GuestImage, run: GuestCall['run']): void {
    const { base, libraries } = image === 'plain' || run === 'expressions' ? { base: image, libraries: [] } : imagePlans[image];
    this.#prepare(base, 'code');
    this.clearUnused(); // the snapshot keeps whatever is there
    for (const [name, use] of libraries) this.#invoke(use, this.#evaluateModule(readLibrary(name), name));
    if (run === 'expressions') this.#invoke('useExpressions');
  }

  #takeSnapshot(): void {
    this.#snapshots.set(this.#state, new MemorySnapshot(this.#memory.buffer));
  }

  #evaluateModule(source: string, name: string): QuickJSHandle {
    return this.#context.unwrapResult(this.#context.evalCode(source, name, { type: 'module' }));
  }

  /** Passes a text-to-text function to the guest. */
  #hostFunction(answer: (request: string) => string): QuickJSHandle {
    const context = this.#context;
    return context.newFunction('askHost', (request) => context.newString(answer(context.getString(request))));
  }

  #invoke(name: GuestFunction, ...args: QuickJSHandle[]): QuickJSHandle {
    const context = this.#context;
    const result = context.callFunction(context.getProp(this.#exports, name), context.undefined, ...args);
    if (result.error) throw new GuestFault(context.dump(result.error));
    return result.value;
  }

  /** The engine allocates at least a twentieth more; if less is available, allocation fails. */
  get #isMemoryFull(): boolean {
    return this.#memory.buffer.byteLength > 0.9 * this.#maxBytes;
  }

  #isOverdue(): boolean {
    if (!this.#timer?.isOver) return false;
    this.#interrupted = true;
    return true;
  }

  #fail(failure: Extract<GuestOutcome, { failure: string }>['failure']): GuestOutcome {
    this.#isIntact = false;
    return { failure };
  }

  /** The cause of an error thrown by our helpers: no memory, no stack, or a defect. */
  #causeOf(error: unknown): 'memory' | 'stack' | 'broken' {
    const text = error instanceof GuestFault ? error.message : String(error);
    if (text.includes('stack')) return 'stack';
    const full = this.#memory.buffer.byteLength >= keepBytes;
    return full || text.includes('out of memory') || text.includes('null') ? 'memory' : 'broken';
  }
}

/** An error from a call into the guest, to the extent that it could be read. */
class GuestFault extends Error {
  constructor(dumped: unknown) {
    const { name, message } = (typeof dumped === 'object' && dumped !== null ? dumped : {}) as {
      name?: unknown;
      message?: unknown;
    };
    super(`${String(name)}: ${String(message)}`);
  }
}
