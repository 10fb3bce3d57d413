import { isJsonObject, ownProperty } from '@sluice/domain';
import type { CompiledParameters } from '../api.ts';
import { LeafGroup } from './leaf-group.ts';
import type { BatchLeaf, ParameterTree } from './parameter-tree.ts';

/** The target of a path: a subtree and, if it is a leaf, the remaining steps within its value. */
export interface Place {
  readonly tree: ParameterTree;
  readonly rest: readonly string[];
}

/** Most nodes read a few paths for every item; some generate paths. */
const maxKnownPlaces = 256;

/** The result of `compile`. Immutable, except for caches. */
export class CompiledTree implements CompiledParameters {
  readonly #places = new Map<string, Place | null>();
  #expressions: ReadonlyMap<string, BatchLeaf | string> | undefined;
  readonly tree: ParameterTree;
  /** Parameter strings that are evaluated for all items before the node runs. */
  readonly batch: readonly BatchLeaf[];
  /** Leaves of the batch for the guest, if the host does not evaluate them. */
  readonly all: LeafGroup;
  /** Leaves that only the guest can evaluate, and others that it evaluates along with them. */
  readonly guestOnly: LeafGroup;
  /** Leaves that the host tries first. */
  readonly hostFirst: LeafGroup;

  constructor(tree: ParameterTree, batch: readonly BatchLeaf[]) {
    this.tree = tree;
    this.batch = batch;
    const needsGuest = batch.some(({ host }) => !host);
    // A call to the guest costs more than its expressions, so it also evaluates expressions with
    // operators.
    const inHost = ({ host }: BatchLeaf) => host !== undefined && !(needsGuest && host.hasOperators);
    this.all = new LeafGroup(batch, () => true);
    this.hostFirst = new LeafGroup(batch, inHost);
    this.guestOnly = new LeafGroup(batch, (leaf) => !inHost(leaf));
  }

  /** The target of a dotted path; null if the path does not exist. */
  placeOf(path: string): Place | null {
    const cached = this.#places.get(path);
    if (cached !== undefined) return cached;
    const place = locate(this.tree, path);
    if (this.#places.size < maxKnownPlaces) this.#places.set(path, place);
    return place;
  }

  /**
   * The parameters that consist of one expression: by name, the leaf, or the reason why it has no
   * value.
   */
  get expressions(): ReadonlyMap<string, BatchLeaf | string> {
    this.#expressions ??= new Map(
      this.tree.kind === 'object' ? [...this.tree.entries].flatMap(([name, tree]) => this.#expressionOf(name, tree)) : [],
    );
    return this.#expressions;
  }

  #expressionOf(name: string, tree: ParameterTree): [string, BatchLeaf | string][] {
    switch (tree.kind) {
      case 'reference':
        return [[name, tree.leaf]];
      case 'batch':
        return [[name, this.batch[tree.leafIndex] as BatchLeaf]];
      case 'refused':
        return [[name, tree.message]];
      default:
        return [];
    }
  }

  get dynamic(): boolean {
    return this.tree.kind !== 'static';
  }
}

function locate(root: ParameterTree, path: string): Place | null {
  const whole = parameterNamed(root, path);
  if (whole) return { tree: whole, rest: [] };
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

/** The parameter with exactly this name, because names of package parameters may contain dots. */
function parameterNamed(root: ParameterTree, name: string): ParameterTree | undefined {
  if (root.kind === 'object') return root.entries.get(name);
  const value = root.kind === 'static' && isJsonObject(root.value) ? ownProperty(root.value, name) : undefined;
  return value === undefined ? undefined : { kind: 'static', value };
}
