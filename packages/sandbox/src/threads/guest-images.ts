/// <reference path="../webassembly.d.ts" />
import type { GuestCall, GuestImage } from '../protocol.ts';
import { type GuestLibrary, readLibrary } from './guest-modules.ts';
import type { GuestProgram } from './guest-program.ts';
import { MemorySnapshot } from './memory-snapshot.ts';

/**
 * The memory that a call starts from: an image, with or without the parts that only expressions
 * use.
 */
type GuestState = `${GuestImage} ${GuestCall['run']}`;

/** Parts that an image adds to its base. */
interface ImagePlan {
  base: GuestImage;
  libraries: readonly [name: GuestLibrary, use: 'useLuxon' | 'useBuffer' | 'useJmespath'][];
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
 * The snapshots from which the calls of one guest start. The first is taken at once; the others,
 * when a call needs them.
 */
export class GuestImages {
  readonly #program: GuestProgram;
  readonly #memory: WebAssembly.Memory;
  readonly #snapshots = new Map<GuestState, MemorySnapshot>();
  #state: GuestState = 'plain code';

  /** `program`: after `setUp`. */
  constructor(program: GuestProgram, memory: WebAssembly.Memory) {
    this.#program = program;
    this.#memory = memory;
    this.#takeSnapshot();
  }

  /** Loads the image for a call. */
  prepare(image: GuestImage, run: GuestCall['run']): void {
    const state: GuestState = `${image} ${run}`;
    if (state === this.#state) return;
    const snapshot = this.#snapshots.get(state);
    if (snapshot) snapshot.restore(this.#memory.buffer);
    else this.#build(image, run);
    this.#state = state;
    if (!snapshot) this.#takeSnapshot();
  }

  /** Undoes the effects of a call. */
  restore(): void {
    this.#snapshots.get(this.#state)?.restore(this.#memory.buffer);
  }

  /** Clears memory that only a defect in the engine can have written. Call it between workflows. */
  clearUnused(): void {
    this.#snapshots.get('plain code')?.clearUnused(this.#memory.buffer);
  }

  #build(image: GuestImage, run: GuestCall['run']): void {
    const { base, libraries } = image === 'plain' || run === 'expressions' ? { base: image, libraries: [] } : imagePlans[image];
    this.prepare(base, 'code');
    this.clearUnused(); // the snapshot keeps whatever is there
    const program = this.#program;
    for (const [name, use] of libraries) program.invoke(use, program.evaluateModule(readLibrary(name), name));
    // Code may use internals that expressions may not.
    if (run === 'expressions') program.invoke('defineExpressions');
  }

  #takeSnapshot(): void {
    this.#snapshots.set(this.#state, new MemorySnapshot(this.#memory.buffer));
  }
}
