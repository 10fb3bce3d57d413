import type { JsonObject, ListSearchResult, NodePropertyOption } from '@sluice/node-sdk';

/** The choices of an editor, from elements of a list. `name`, `value`: members of the elements. */
export function choicesFrom(
  found: readonly JsonObject[],
  name = 'name',
  value = 'id',
): (NodePropertyOption & { value: string })[] {
  return found.map(({ [name]: shown = '', [value]: chosen = '' }) => ({ name: String(shown), value: String(chosen) }));
}

/** The choices whose name contains the filter, in any case, or whose value it is. */
export function matching(choices: ListSearchResult['results'], filter = ''): ListSearchResult {
  const wanted = filter.toLowerCase();
  return { results: choices.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter) };
}
