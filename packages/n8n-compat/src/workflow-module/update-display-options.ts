import type { CommunityDisplayOptions } from '../community-types.ts';

/** Merges display options into those of the properties, by condition. */
export function updateDisplayOptions(
  displayOptions: CommunityDisplayOptions,
  properties: readonly { displayOptions?: CommunityDisplayOptions }[],
): object[] {
  return properties.map((property) => ({
    ...property,
    displayOptions: mergedOptions(property.displayOptions ?? {}, displayOptions),
  }));
}

function mergedOptions(own: CommunityDisplayOptions, laidOver: CommunityDisplayOptions): CommunityDisplayOptions {
  const merged: CommunityDisplayOptions = { ...own, ...laidOver };
  for (const side of ['show', 'hide'] as const) {
    if (own[side] && laidOver[side]) merged[side] = { ...own[side], ...laidOver[side] };
  }
  return merged;
}
