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
import { compileParameters } from './compile-parameters.ts';
import { CompiledTree } from './compiled-tree.ts';
import { GuestPool } from './guest-pool.ts';
import { hostSlots } from './host-slots.ts';
import { resolveExpressions } from './resolve-expressions.ts';
import { ResolvedTree } from './resolved-tree.ts';
import { runCode } from './run-code.ts';

/** The sandbox with QuickJS on threads of this process. Nothing starts before the first call that needs the guest. */
export function createSandbox(options: SandboxOptions): Sandbox {
  return new ThreadSandbox(options);
}

const defaultIdleMs = 60_000;

class ThreadSandbox implements Sandbox {
  readonly #timeoutMs: number;
  readonly #pool: GuestPool;

  constructor({ timeoutMs, memoryMb, threads, idleMs = defaultIdleMs }: SandboxOptions) {
    this.#timeoutMs = timeoutMs;
    this.#pool = new GuestPool({ memoryMb, threads, idleMs });
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
    if (compiled.guestLeaves.length === 0) return new ResolvedTree(compiled, scope, { slots: [] });
    const slots = hostSlots(compiled, scope);
    return slots ? new ResolvedTree(compiled, scope, { slots }) : this.#resolveInGuest(compiled, scope, signal);
  }

  async #resolveInGuest(compiled: CompiledTree, scope: EvaluationScope, signal: AbortSignal): Promise<ResolvedParameters> {
    const results = await resolveExpressions(this.#pool, this.#timeoutMs, compiled, scope, signal);
    return new ResolvedTree(compiled, scope, results);
  }

  runCode(request: CodeRunRequest, signal: AbortSignal): Promise<CodeRunResult> {
    return runCode(this.#pool, this.#timeoutMs, request, signal);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
