import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choiceParameter, localTime } from '@sluice/nodes-base/node-tools';
import { asText, locatedValue } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { keyOf } from './property-values.ts';

/** A query's filter: https://developers.notion.com/reference/post-database-query-filter */
export function filterOf(item: ServiceItem): JsonValue | undefined {
  if (item.version < 2) return legacyFilter(item);
  const kind = choiceParameter(item.context, 'filterType', item.index, ['none', 'manual', 'json'], 'none');
  if (kind === 'json') return item.json('filterJson');
  if (kind === 'none') return undefined;
  const match = choiceParameter(item.context, 'matchType', item.index, ['anyFilter', 'allFilters'], 'anyFilter');
  return joined(item, match === 'allFilters' ? 'and' : 'or', item.entries('filters.conditions'));
}

/** Version 1: one condition, or lists of conditions joined by `and` or `or`. */
function legacyFilter(item: ServiceItem): JsonValue | undefined {
  const [single] = item.entries('options.filter.singleCondition');
  if (single) return conditionOf(item, single);
  const groups = (['and', 'or'] as const).map((join) =>
    joined(item, join, item.entries(`options.filter.multipleCondition.condition.${join}`)),
  );
  const [first, second] = groups.filter((group) => group !== undefined);
  return first && second ? { and: [first, second] } : first;
}

function joined(item: ServiceItem, join: 'and' | 'or', conditions: readonly JsonObject[]): JsonValue | undefined {
  return conditions.length === 0 ? undefined : { [join]: conditions.map((condition) => conditionOf(item, condition)) };
}

function conditionOf(item: ServiceItem, entry: JsonObject): JsonObject {
  const { name, type } = keyOf(item, entry);
  const condition = asText(entry['condition']);
  if (condition === '') throw item.error(`the filter for "${name}" has no condition`, 'Choose a condition, such as "Equals"');
  if (type === 'created_time' || type === 'last_edited_time')
    return { timestamp: type, [type]: { [condition]: operandOf(item, 'date', condition, entry) } };
  if (type !== 'formula') {
    const kind = people.has(type) ? 'people' : type;
    return { property: name, [kind]: { [condition]: operandOf(item, kind, condition, entry) } };
  }
  const result = asText(entry['returnType']) || 'text';
  const kind = result === 'text' ? 'string' : result;
  return { property: name, formula: { [kind]: { [condition]: operandOf(item, kind, condition, entry) } } };
}

const people = new Set(['created_by', 'last_edited_by']);

/** Conditions without a value. */
const flags = new Set(['is_empty', 'is_not_empty']);
const spans = /^(past|this|next)_(week|month|year)$/;

/** Fields that contain the value, by type; the first field that is set is used. */
const fieldsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['date', ['date', 'createdTimeValue', 'lastEditedTimeValue']],
  ['title', ['titleValue', 'richTextValue']],
  ['rich_text', ['richTextValue']],
  ['string', ['textValue', 'richTextValue']],
  ['phone_number', ['phoneNumberValue', 'phoneValue']],
  ['people', ['peopleValue', 'createdByValue', 'lastEditedByValue']],
]);

function operandOf(item: ServiceItem, type: string, condition: string, entry: JsonObject): JsonValue {
  if (flags.has(condition)) return true;
  if (spans.test(condition)) return {};
  const fields = fieldsByType.get(type) ?? [`${camelCase(type)}Value`];
  const value = fields.map((field) => entry[field]).find((one) => one !== undefined && one !== '') ?? '';
  if (type === 'checkbox') return value === true || value === 'true';
  if (type === 'number') return numberOf(item, entry, value);
  return type === 'date' ? dateOf(item, entry, value) : asText(locatedValue(value));
}

const camelCase = (type: string) => type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function numberOf(item: ServiceItem, entry: JsonObject, value: JsonValue): number {
  const number = value === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return number;
  throw item.error(`the filter for "${keyOf(item, entry).name}" is not a number`, 'Set its value to a number');
}

function dateOf(item: ServiceItem, entry: JsonObject, value: JsonValue): string {
  const local = localTime(value, item.context.workflow.timezone);
  if (!local)
    throw item.error(`the filter for "${keyOf(item, entry).name}" is not a date`, 'Set its value to a date such as 2026-01-31');
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
  return isDay ? local.date : `${local.date}T${local.time}${local.offset}`;
}

/** A query's sort order. */
export function sortsOf(item: ServiceItem): JsonObject[] {
  return item.entries('options.sort.sortValue').map((entry): JsonObject => {
    const direction = entry['direction'] === 'descending' ? 'descending' : 'ascending';
    const key = asText(entry['key']);
    if (entry['timestamp'] === true) return { timestamp: key, direction };
    return { property: key.includes('|') ? key.slice(0, key.lastIndexOf('|')) : key, direction };
  });
}
