import type { JsonObject, ListSearchResult, NodePropertyOption } from '@sluice/node-sdk';

/** Editor choices from the elements of a list. `name`, `value`: element members. */
export function choicesFrom(
  found: readonly JsonObject[],
  name = 'name',
  value = 'id',
): (NodePropertyOption & { value: string })[] {
  return found.map(({ [name]: shown = '', [value]: chosen = '' }) => ({ name: String(shown), value: String(chosen) }));
}

/** The choices whose name contains the filter, ignoring case, or whose value equals it. */
export function matching(choices: ListSearchResult['results'], filter = ''): ListSearchResult {
  const wanted = filter.toLowerCase();
  return { results: choices.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter) };
}
