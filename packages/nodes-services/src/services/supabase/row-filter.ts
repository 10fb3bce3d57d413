import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choiceParameter } from '@sluice/nodes-base/node-tools';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

type Query = Record<string, JsonValue>;

const kinds = ['none', 'manual', 'string'] as const;

/** The rows that a request affects, as PostgREST parameters. */
export function filterQuery(item: ServiceItem): Query {
  const kind = choiceParameter(item.context, 'filterType', item.index, kinds, 'manual');
  if (kind === 'none') return {};
  if (kind === 'string') return stringQuery(item, item.text('filterString').trim());
  const join = choiceParameter(item.context, 'matchType', item.index, ['anyFilter', 'allFilters'], 'anyFilter');
  return conditionQuery(item, join === 'allFilters' ? 'and' : 'or');
}

/** Like `filterQuery`; without a condition, the request would affect all rows. */
export function requiredFilter(item: ServiceItem): Query {
  const query = filterQuery(item);
  if (Object.keys(query).length > 0) return query;
  throw item.error(
    'there is no condition for the rows',
    'Add a condition; `filterString` may name all rows, such as id=not.is.null',
  );
}

/** Conditions from the parameter `filters`; a row must match all of them, or any of them. */
export function conditionQuery(item: ServiceItem, join: 'and' | 'or'): Query {
  const conditions = item.entries('filters.conditions').map((entry) => conditionOf(item, entry));
  return conditions.length === 0 ? {} : { [join]: `(${conditions.join(',')})` };
}

function conditionOf(item: ServiceItem, entry: JsonObject): string {
  const name = textOf(entry['keyName']);
  if (name === '') throw item.error('a condition has no column', 'Choose the column, or remove the condition');
  const { condition = 'eq', searchFunction = 'fts', keyValue = '' } = entry;
  const operator = condition === 'fullText' ? searchFunction : condition;
  if (!operators.has(asText(operator)))
    throw item.error(
      `the condition "${textOf(operator).slice(0, 50)}" does not exist`,
      `Use one of ${[...operators].join(', ')}`,
    );
  const value = textOf(keyValue);
  return `${quotedIfNeeded(name)}.${operator}.${bare.has(asText(operator)) ? quotedIfNeeded(value) : quoted(value)}`;
}

const operators = new Set([
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is'],
  ...['fts', 'plfts', 'phfts', 'wfts'],
]);

/** Operators whose values are keywords, such as `null`. */
const bare = new Set(['is']);

/**
 * Text in a list of conditions:
 * https://docs.postgrest.org/en/v12/references/api/url_grammar.html#reserved-characters
 */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

const quotedIfNeeded = (text: string) => (/^[\w-]+$/.test(text) ? text : quoted(text));

const textOf = (value: JsonValue = '') => (typeof value === 'string' ? value : JSON.stringify(value));

/** The filter is part of the URL, whose length servers limit. */
const maxFilterLength = 20_000;

/** `name=eq.Ada&age=gt.30` */
function stringQuery(item: ServiceItem, text: string): Query {
  if (text.length > maxFilterLength) {
    const description = 'Name the rows by fewer conditions, or in several items';
    throw item.error(`the parameter "filterString" has more than ${maxFilterLength} characters`, description);
  }
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) query.set(name, [...(query.get(name) ?? []), value]);
  return Object.fromEntries(query);
}
