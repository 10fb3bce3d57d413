import type { JsonObject, ListSearchResult, NodePropertyOption } from '@sluice/node-sdk';
import { asText } from './json-values.ts';

/** Editor choices from the elements of a list. `name`, `value`: element members. */
export function choicesFrom(
  records: readonly JsonObject[],
  name = 'name',
  value = 'id',
): (NodePropertyOption & { value: string })[] {
  return records.map(({ [name]: label = '', [value]: chosen = '' }) => ({ name: asText(label), value: asText(chosen) }));
}

/** The choices whose name contains the filter, ignoring case, or whose value equals it. */
export function matching(choices: ListSearchResult['results'], filter = ''): ListSearchResult {
  const wanted = filter.toLowerCase();
  return { results: choices.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter) };
}
