import { mapSliced } from '@sluice/domain';
import type { GuestLeaf, GuestSlot } from '../protocol.ts';
import { type CodeReferences, findReferences } from '../scope/find-references.ts';
import type { BatchLeaf, HostLeaf } from './parameter-tree.ts';

/** The data that the sources of the leaves refer to. */
export function referencesOf(leaves: readonly GuestLeaf[]): CodeReferences {
  return findReferences(leaves.flatMap(({ parts }) => parts.flatMap((part) => ('source' in part ? [part.source] : []))));
}

/** Leaves of a batch that the guest evaluates in one call. */
export class LeafGroup {
  /** Indices in the batch. */
  readonly places: readonly number[];
  readonly leaves: readonly GuestLeaf[];
  /** The leaves that the host can evaluate. */
  readonly hostLeaves: readonly HostLeaf[];
  #references: CodeReferences | undefined;

  constructor(batch: readonly BatchLeaf[], select: (leaf: BatchLeaf) => boolean) {
    this.places = batch.flatMap((leaf, place) => (select(leaf) ? [place] : []));
    this.leaves = batch.filter(select).map(({ guest }) => guest);
    this.hostLeaves = batch.filter(select).flatMap(({ host }) => host ?? []);
  }

  /**
   * The data that the sources refer to. Computed on first use, because most batches never reach the
   * guest.
   */
  get references(): CodeReferences {
    this.#references ??= referencesOf(this.leaves);
    return this.#references;
  }

  /** Copies slots of the group's leaves to the rows of the batch. */
  place(slots: readonly (readonly GuestSlot[])[], rows: GuestSlot[][]): void {
    for (const [item, row] of slots.entries()) this.#placeRow(row, item, rows);
  }

  /** Same as `place`, in time slices. */
  async placeSliced(slots: readonly (readonly GuestSlot[])[], rows: GuestSlot[][]): Promise<void> {
    await mapSliced(slots, (row, item) => this.#placeRow(row, item, rows));
  }

  #placeRow(row: readonly GuestSlot[], item: number, rows: GuestSlot[][]): void {
    rows[item] ??= [];
    const target = rows[item];
    for (const [at, place] of this.places.entries()) target[place] = row[at] as GuestSlot;
  }
}
