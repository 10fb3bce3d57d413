import type { CompiledParameters } from './api.ts';
import type { HostLeaf, ParameterTree } from './parameter-tree.ts';
import type { GuestLeaf } from './protocol.ts';
import type { ReferencedData } from './referenced-data.ts';

/** What a path leads to: a subtree and, where that is a leaf, the steps that go on within its value. */
export interface Place {
  readonly tree: ParameterTree;
  readonly rest: readonly string[];
}

/** Nodes ask for a few paths, for item after item; some make up theirs. */
const maxKnownPlaces = 256;

/** What `compile` makes. Immutable, but for what it remembers. */
export class CompiledTree implements CompiledParameters {
  readonly #places = new Map<string, Place | null>();
  readonly tree: ParameterTree;
  /** Parameter strings that need the guest, in the order of their places. */
  readonly guestLeaves: readonly GuestLeaf[];
  /** The same, where there are only operators to them, and the host may try them first. */
  readonly hostLeaves: readonly HostLeaf[] | undefined;
  /** What their sources refer to. */
  readonly referenced: ReferencedData;

  constructor(
    tree: ParameterTree,
    guestLeaves: readonly GuestLeaf[],
    hostLeaves: readonly HostLeaf[] | undefined,
    referenced: ReferencedData,
  ) {
    this.tree = tree;
    this.guestLeaves = guestLeaves;
    this.hostLeaves = hostLeaves;
    this.referenced = referenced;
  }

  /** What is at a dotted path; null: nothing. */
  placeOf(path: string): Place | null {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    const place = locate(this.tree, path);
    if (this.#places.size < maxKnownPlaces) this.#places.set(path, place);
    return place;
  }

  get dynamic(): boolean {
    return this.tree.kind !== 'static';
  }
}

function locate(root: ParameterTree, path: string): Place | null {
  const steps = path === '' ? [] : path.split('.');
  let tree: ParameterTree | undefined = root;
  for (const [depth, step] of steps.entries()) {
    if (tree.kind === 'object') tree = tree.entries.get(step);
    else if (tree.kind === 'array') tree = tree.elements[Number(step)];
    else return { tree, rest: steps.slice(depth) };
    if (!tree) return null;
  }
  return { tree, rest: [] };
}
