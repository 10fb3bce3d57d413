import { readFileSync } from 'node:fs';
import type { FileReader, GuestResult, GuestTask, GuestThreadOptions } from '../protocol.ts';
import { collectGarbage } from './collect-garbage.ts';
import { GuestInstance, initialPages } from './guest-instance.ts';
import { withLeastMemory } from './least-memory.ts';

const noFiles: FileReader = async () => ({ refusal: 'this code cannot read files' });

/**
 * Keeps one guest ready for the next call. After each call, the guest's memory is restored to its
 * snapshot. A guest that grew, exhausted a limit, or broke is replaced.
 */
export class GuestHost {
  readonly #create: () => Promise<GuestInstance>;
  #guest: Promise<GuestInstance>;
  #guestsMade = 0;
  /** The workflow of the last call; empty if the call did not belong to a workflow. */
  #workflowId: string | undefined;

  static async create({ memoryMb }: Pick<GuestThreadOptions, 'memoryMb'>): Promise<GuestHost> {
    const file = new URL(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
    const wasmModule = new WebAssembly.Module(withLeastMemory(readFileSync(file), initialPages));
    const host = new GuestHost(() => GuestInstance.create(wasmModule, memoryMb));
    await host.#guest;
    return host;
  }

  private constructor(create: () => Promise<GuestInstance>) {
    this.#create = create;
    this.#guest = this.#make();
  }

  /** Number of guests created so far; remains one as long as calls end normally. */
  get guestsMade(): number {
    return this.#guestsMade;
  }

  async run({ call, workflowId }: GuestTask, readFile: FileReader = noFiles): Promise<Omit<GuestResult, 'cpuMs'>> {
    const guest = await this.#guest;
    if (workflowId === '' || workflowId !== this.#workflowId) guest.clearUnused();
    this.#workflowId = workflowId;
    return guest.run(call, readFile);
  }

  /**
   * Restores the guest. Call it after each `run`, once the outcome is sent; a `run` in between
   * waits for it.
   */
  async recycle(): Promise<void> {
    const guest = await this.#guest;
    if (guest.reusable) return guest.restore();
    this.#guest = this.#make();
    await this.#guest;
    setImmediate(collectGarbage); // nothing on the stack refers to the old guest then
  }

  #make(): Promise<GuestInstance> {
    this.#guestsMade += 1;
    return this.#create();
  }
}
