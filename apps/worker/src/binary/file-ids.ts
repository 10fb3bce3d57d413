import { isBinaryId } from '@sluice/binary-store';
import { type Item, isJsonObject } from '@sluice/domain';

/** Ids of the files that these items refer to, each once. Invalid references are ignored. */
export function fileIdsOf(items: readonly Item[]): string[] {
  const ids = new Set<string>();
  for (const item of items) for (const [, id] of referencesOf(item)) if (isBinaryId(id)) ids.add(id);
  return [...ids];
}

/** The items with the references to these files only. */
export function withFiles(items: readonly Item[], ids: ReadonlySet<string>): Item[] {
  return items.map((item) => {
    const { binary, ...rest } = item;
    const references = referencesOf(item).filter(([, id]) => ids.has(id));
    return references.length > 0
      ? { ...rest, binary: Object.fromEntries(references.map(([name]) => [name, binary?.[name]])) }
      : rest;
  }) as Item[];
}

function referencesOf({ binary }: Item): [name: string, id: string][] {
  const entries: [string, unknown][] = isJsonObject(binary) ? Object.entries(binary) : [];
  return entries.flatMap(([name, reference]) =>
    isJsonObject(reference) && typeof reference['id'] === 'string' ? [[name, reference['id']]] : [],
  );
}
