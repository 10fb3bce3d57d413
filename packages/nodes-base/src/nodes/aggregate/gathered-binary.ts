import type { BinaryReference, Item } from '@sluice/node-sdk';

/** The files of all items, those with a name that is taken numbered. `unique`: of files alike in name, type and size only the first. */
export function gatheredBinary(items: readonly Item[], unique: boolean): Record<string, BinaryReference> | undefined {
  const gathered = new Map<string, BinaryReference>();
  const seen = new Set<string>();
  for (const [name, reference] of items.flatMap(({ binary = {} }) => Object.entries(binary))) {
    const likeness = likenessOf(reference);
    if (unique && seen.has(likeness)) continue;
    seen.add(likeness);
    gathered.set(freeName(name, gathered), reference);
  }
  return gathered.size > 0 ? Object.fromEntries(gathered) : undefined;
}

function likenessOf({ id, fileName, mimeType, fileExtension, fileSize }: BinaryReference): string {
  return JSON.stringify(fileSize === undefined ? [id] : [fileName, mimeType, fileExtension, fileSize]);
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 1; taken.has(free); number++) free = `${name}_${number}`;
  return free;
}
