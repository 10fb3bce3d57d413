import type { CompiledParameters } from './api.ts';
import { LeafGroup } from './leaf-group.ts';
import type { BatchLeaf, ParameterTree } from './parameter-tree.ts';

/** What a path leads to: a subtree and, where that is a leaf, the steps that go on within its value. */
export interface Place {
  readonly tree: ParameterTree;
  readonly rest: readonly string[];
}

/** Nodes ask for a few paths, for item after item; some make up theirs. */
const maxKnownPlaces = 256;

/** The result of `compile`. Immutable, except for what it remembers. */
export class CompiledTree implements CompiledParameters {
  readonly #places = new Map<string, Place | null>();
  readonly tree: ParameterTree;
  /** Parameter strings that are evaluated for all items before the node runs. */
  readonly batch: readonly BatchLeaf[];
  /** The same for the guest, should the host not evaluate them. */
  readonly all: LeafGroup;
  /** Those that only the guest can evaluate, and what it evaluates beside them. */
  readonly guestOnly: LeafGroup;
  /** Those that the host tries first. */
  readonly hostFirst: LeafGroup;

  constructor(tree: ParameterTree, batch: readonly BatchLeaf[]) {
    this.tree = tree;
    this.batch = batch;
    const needsGuest = batch.some(({ host }) => !host);
    // A call to the guest costs more than its expressions, so it takes those with operators along.
    const inHost = ({ host }: BatchLeaf) => host !== undefined && !(needsGuest && host.hasOperators);
    this.all = new LeafGroup(batch, () => true);
    this.hostFirst = new LeafGroup(batch, inHost);
    this.guestOnly = new LeafGroup(batch, (leaf) => !inHost(leaf));
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
