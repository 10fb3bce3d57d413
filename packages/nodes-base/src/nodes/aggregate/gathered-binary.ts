import type { BinaryReference, Item } from '@sluice/node-sdk';
import { UnusedNames } from '../../shared/unused-names.ts';

/**
 * The files of all items; a file whose name is already used gets a number. `unique`: only the first
 * of several files with equal names, types, and sizes.
 */
export function gatheredBinary(items: readonly Item[], unique: boolean): Record<string, BinaryReference> | undefined {
  const gathered: [string, BinaryReference][] = [];
  const names = new UnusedNames((name, count) => `${name}_${count}`);
  const seen = new Set<string>();
  for (const [name, reference] of items.flatMap(({ binary = {} }) => Object.entries(binary))) {
    const likeness = likenessOf(reference);
    if (unique && seen.has(likeness)) continue;
    seen.add(likeness);
    gathered.push([names.take(name), reference]);
  }
  return gathered.length > 0 ? Object.fromEntries(gathered) : undefined;
}

function likenessOf({ id, fileName, mimeType, fileExtension, fileSize }: BinaryReference): string {
  return JSON.stringify(fileSize === undefined ? [id] : [fileName, mimeType, fileExtension, fileSize]);
}
