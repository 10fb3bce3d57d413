/// <reference path="../webassembly.d.ts" />
import releaseSync from '@jitl/quickjs-wasmfile-release-sync';
import { exceedsDepth } from '@sluice/domain';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { ExtensionCalls } from '../host/extension-calls.ts';
import { hostServices } from '../host/host-services.ts';
import { leastGuestBytes, maxOutputDepth, maxOutputLength, maxRequestLength } from '../limits.ts';
import type { FileReader, GuestCall, GuestFailure, GuestLeaf, GuestOutcome, GuestResult } from '../protocol.ts';
import { CallTimer } from './call-timer.ts';
import { GuestImages } from './guest-images.ts';
import { GuestFault, GuestProgram } from './guest-program.ts';
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
  readonly #program: GuestProgram;
  readonly #images: GuestImages;
  readonly #extensionCalls: ExtensionCalls;
  /** The limit of the call in progress. */
  #timer: CallTimer | undefined;
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
    const program = new GuestProgram(runtime);
    this.#program = program;
    program.invoke(
      'setUp',
      this.#hostFunction((request) => hostServices(request, () => this.#isMemoryFull)),
    );
    this.#extensionCalls = new ExtensionCalls(JSON.parse(program.context.getString(program.invoke('methodNames'))));
    this.#images = new GuestImages(program, memory);
  }

  /**
   * False if a call ended abnormally or memory grew: create a new guest instead of restoring this
   * one.
   */
  get reusable(): boolean {
    return this.#isIntact && this.#memory.buffer.byteLength <= keepBytes;
  }

  /** Undoes the effects of a call. */
  restore(): void {
    this.#images.restore();
  }

  /** See `GuestImages`. */
  clearUnused(): void {
    this.#images.clearUnused();
  }

  /**
   * Never rejects. Restore the guest before the next call, and do not start one before this call
   * has ended.
   */
  async run(call: GuestCall, readFile: FileReader): Promise<Omit<GuestResult, 'cpuMs'>> {
    if (call.request.length > this.#maxRequestLength) return { outcome: { failure: 'memory' }, durationMs: 0 };
    const outcome = await this.#run(call, readFile);
    const durationMs = this.#timer?.usedMs ?? 0;
    this.#timer = undefined;
    return { outcome, durationMs };
  }

  async #run(call: GuestCall, readFile: FileReader): Promise<GuestOutcome> {
    try {
      this.#images.prepare(call.image, call.run);
      const timer = new CallTimer(call.timeoutMs);
      this.#timer = timer;
      const reply =
        call.run === 'expressions' ? this.#evaluateExpressions(call) : await this.#runCode(call.request, timer, readFile);
      return this.#interrupted ? this.#fail('timeout') : reply;
    } catch (error) {
      return this.#fail(this.#interrupted ? 'timeout' : this.#causeOf(error));
    }
  }

  #evaluateExpressions({ request, leaves }: GuestCall): GuestOutcome {
    const leavesText = JSON.stringify(leaves.map((leaf) => this.#withExtensionCalls(leaf)));
    if (request.length + leavesText.length > this.#maxRequestLength) return this.#fail('memory');
    const [first, second] = [this.#program.context.newString(request), this.#program.context.newString(leavesText)];
    return this.#toOutcome(this.#program.invoke('evaluateExpressions', first, second));
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
    this.#program.invoke('startCode', this.#program.context.newString(request));
    for (;;) {
      this.#runJobs();
      const reply = this.#program.invoke('takeCodeReply');
      if (this.#program.context.typeof(reply) === 'string') return this.#toOutcome(reply);
      const fileId = this.#program.invoke('wantedFile');
      if (this.#program.context.typeof(fileId) === 'string') {
        await this.#passFile(this.#program.context.getString(fileId), readFile);
        if (this.#isOverdue()) return { failure: 'timeout' };
        continue;
      }
      const wait = this.#program.invoke('untilTimer');
      if (this.#program.context.typeof(wait) !== 'number') return { failure: 'pending' };
      await timer.sleep(this.#program.context.getNumber(wait));
      if (this.#isOverdue()) return { failure: 'timeout' };
      this.#program.invoke('fireTimer');
    }
  }

  /** The guest allocates the memory first: the glue code does not detect a failure. */
  async #passFile(fileId: string, readFile: FileReader): Promise<void> {
    const context = this.#program.context;
    const reply = await readFile(fileId);
    if ('refusal' in reply) {
      this.#program.invoke('endRead', context.newString(reply.refusal));
      return;
    }
    const { content } = reply;
    this.#program.invoke('assertAllocatable', context.newNumber(content.byteLength));
    // Without the copy, the guest would get the buffer of a whole pool of chunks.
    const buffer = context.newArrayBuffer(content.slice().buffer);
    this.#program.invoke('endRead', buffer);
    buffer.dispose();
  }

  #runJobs(): void {
    while (this.#runtime.hasPendingJob() && !this.#isOverdue()) {
      const { error } = this.#runtime.executePendingJobs(jobsBetweenClockChecks);
      if (error) throw new GuestFault(error.context.dump(error));
    }
  }

  #toOutcome(handle: QuickJSHandle): GuestOutcome {
    const reply = this.#program.context.getString(handle);
    return reply.length > maxOutputLength * 2 || exceedsDepth(reply, maxOutputDepth) ? { failure: 'output' } : { reply };
  }

  /** Passes a text-to-text function to the guest. */
  #hostFunction(answer: (request: string) => string): QuickJSHandle {
    const context = this.#program.context;
    return context.newFunction('askHost', (request) => context.newString(answer(context.getString(request))));
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

  #fail(failure: GuestFailure): GuestOutcome {
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
