import type { JsonObject } from '@sluice/domain';
import type {
  CodeRunRequest,
  CodeRunResult,
  CompiledParameters,
  EvaluationScope,
  ResolvedParameters,
  Sandbox,
  SandboxOptions,
} from './api.ts';
import { runCode } from './code/run-code.ts';
import { compileParameters } from './expressions/compile-parameters.ts';
import { CompiledTree } from './expressions/compiled-tree.ts';
import { evaluateInHost, type HostSlots } from './expressions/host-evaluation.ts';
import type { LeafGroup } from './expressions/leaf-group.ts';
import { evaluatedItems, resolveInGuest } from './expressions/resolve-expressions.ts';
import { ResolvedTree } from './expressions/resolved-tree.ts';
import type { GuestSlot } from './protocol.ts';
import { PythonPool } from './python/pool.ts';
import { GuestPool } from './threads/guest-pool.ts';

/**
 * The sandbox: QuickJS on threads of this process, and Python in separate processes. Nothing starts
 * before the first call that needs the guest.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  return new ThreadSandbox(options);
}

class ThreadSandbox implements Sandbox {
  readonly #timeoutMs: number;
  readonly #pool: GuestPool;
  readonly #python: PythonPool;

  constructor({ timeoutMs, memoryMb, threads }: SandboxOptions) {
    this.#timeoutMs = timeoutMs;
    this.#pool = new GuestPool({ memoryMb, threads });
    this.#python = new PythonPool({ memoryMb });
  }

  get waiting(): number {
    return this.#pool.waiting;
  }

  compile(parameters: JsonObject): CompiledParameters {
    return compileParameters(parameters);
  }

  resolve(
    compiled: CompiledParameters,
    scope: EvaluationScope,
    signal: AbortSignal,
  ): ResolvedParameters | Promise<ResolvedParameters> {
    if (!(compiled instanceof CompiledTree)) throw new TypeError('parameters that this sandbox did not compile');
    if (compiled.batch.length === 0) return new ResolvedTree(compiled, scope, { slots: [] });
    const { hostFirst } = compiled;
    const slots = evaluateInHost(hostFirst.hostLeaves, scope, evaluatedItems(scope), signal);
    if (slots instanceof Promise) return slots.then((later) => this.#resolveRest(compiled, later, scope, signal));
    return this.#resolveRest(compiled, slots, scope, signal);
  }

  /** `slots`: values that the host evaluated; `undefined` if it did not. */
  #resolveRest(
    compiled: CompiledTree,
    slots: HostSlots,
    scope: EvaluationScope,
    signal: AbortSignal,
  ): ResolvedParameters | Promise<ResolvedParameters> {
    const rest = slots ? compiled.guestOnly : compiled.all;
    const rows: GuestSlot[][] = [];
    if (slots) compiled.hostFirst.place(slots, rows);
    if (rest.places.length === 0) return new ResolvedTree(compiled, scope, { slots: rows });
    return this.#resolveInGuest(compiled, rest, rows, scope, signal);
  }

  async #resolveInGuest(
    compiled: CompiledTree,
    rest: LeafGroup,
    rows: GuestSlot[][],
    scope: EvaluationScope,
    signal: AbortSignal,
  ): Promise<ResolvedParameters> {
    const results = await resolveInGuest({ pool: this.#pool, timeoutMs: this.#timeoutMs }, rest, scope, signal);
    await rest.placeSliced(results.slots, rows);
    return new ResolvedTree(compiled, scope, { ...results, slots: rows });
  }

  runCode(request: CodeRunRequest, signal: AbortSignal): Promise<CodeRunResult> {
    return runCode({ javaScript: this.#pool, python: this.#python, timeoutMs: this.#timeoutMs }, request, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#python.close()]);
  }
}
