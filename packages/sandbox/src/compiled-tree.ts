import type { CompiledParameters } from './api.ts';
import type { ParameterTree } from './parameter-tree.ts';
import type { GuestLeaf } from './protocol.ts';
import type { ReferencedData } from './referenced-data.ts';

/** What `compile` makes. Immutable. */
export class CompiledTree implements CompiledParameters {
  readonly tree: ParameterTree;
  /** Parameter strings that need the guest, in the order of their places. */
  readonly guestLeaves: readonly GuestLeaf[];
  /** What their sources refer to. */
  readonly referenced: ReferencedData;

  constructor(tree: ParameterTree, guestLeaves: readonly GuestLeaf[], referenced: ReferencedData) {
    this.tree = tree;
    this.guestLeaves = guestLeaves;
    this.referenced = referenced;
  }

  get dynamic(): boolean {
    return this.tree.kind !== 'static';
  }
}
