import type { JsonObject, JsonValue, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choiceParameter, choices, names, namesParameter, number, text, toggle } from '@sluice/nodes-base/node-tools';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { columnName, dimensionFields, metricFields } from './report-columns.ts';

/** A kind of filter: its parameters, and its member in the API. */
interface Kind {
  displayName: string;
  properties: readonly NodeProperty[];
  /** `path`: path of the entry. */
  read(item: ServiceItem, path: string): JsonObject;
}

const matchTypes = choices(
  ['EXACT', 'Exact'],
  ['BEGINS_WITH', 'Begins With'],
  ['ENDS_WITH', 'Ends With'],
  ['CONTAINS', 'Contains'],
  ['FULL_REGEXP', 'Full Regular Expression'],
  ['PARTIAL_REGEXP', 'Partial Regular Expression'],
);
const operations = choices(
  ['EQUAL', 'Equal'],
  ['LESS_THAN', 'Less Than'],
  ['LESS_THAN_OR_EQUAL', 'Less Than or Equal'],
  ['GREATER_THAN', 'Greater Than'],
  ['GREATER_THAN_OR_EQUAL', 'Greater Than or Equal'],
);
const combinations = choices(['andGroup', 'All Filters'], ['orGroup', 'Any Filter']);

const caseSensitive = toggle('caseSensitive', 'Case Sensitive', 'Whether upper and lower case differ', { default: true });

/**
 * https://developers.google.com/analytics/devguides/reporting/data/v1/rest/v1beta/FilterExpression#Filter
 */
const kinds: Readonly<Record<string, Kind>> = {
  stringFilter: {
    displayName: 'String Filter',
    properties: [choice('matchType', 'Match Type', matchTypes), text('value', 'Value', 'Text to compare with'), caseSensitive],
    read: (item, path) => ({
      matchType: chosen(item, `${path}.matchType`, matchTypes),
      value: item.text(`${path}.value`),
      caseSensitive: item.toggle(`${path}.caseSensitive`, true),
    }),
  },
  inListFilter: {
    displayName: 'In List Filter',
    properties: [names('values', 'Values', 'Texts to compare with'), caseSensitive],
    read: (item, path) => ({
      values: namesParameter(item.context, `${path}.values`, item.index),
      caseSensitive: item.toggle(`${path}.caseSensitive`, true),
    }),
  },
  numericFilter: {
    displayName: 'Numeric Filter',
    properties: [choice('operation', 'Operation', operations), number('value', 'Value', 0, 'Number to compare with')],
    read: (item, path) => ({
      operation: chosen(item, `${path}.operation`, operations),
      value: numericValue(item, `${path}.value`),
    }),
  },
  betweenFilter: {
    displayName: 'Between Filter',
    properties: [number('fromValue', 'From', 0, 'Smallest number'), number('toValue', 'To', 0, 'Largest number')],
    read: (item, path) => ({
      fromValue: numericValue(item, `${path}.fromValue`),
      toValue: numericValue(item, `${path}.toValue`),
    }),
  },
};

/** The chosen value; the first choice is the default. */
function chosen(item: ServiceItem, path: string, options: readonly NodePropertyOption[]): string {
  const values = options.map(({ value }) => asText(value));
  return choiceParameter(item.context, path, item.index, values, values[0] ?? '');
}

/** Whole numbers are text in the API, because JSON numbers are inexact beyond 2^53. */
function numericValue(item: ServiceItem, path: string): JsonObject {
  const value = item.number(path, 0);
  return Number.isSafeInteger(value) ? { int64Value: asText(value) } : { doubleValue: value };
}

export const dimensionFilters = filterProperty(
  'dimensionFiltersUI',
  'Dimension Filters',
  ['stringFilter', 'inListFilter', 'numericFilter', 'betweenFilter'],
  dimensionFields,
);
export const metricFilters = filterProperty(
  'metricsFiltersUI',
  'Metric Filters',
  ['numericFilter', 'betweenFilter'],
  metricFields(),
);

function filterProperty(
  name: string,
  displayName: string,
  ofKinds: readonly string[],
  column: readonly NodeProperty[],
): NodeProperty {
  const expression: NodeProperty = {
    displayName: 'Expression',
    name: 'expression',
    type: 'fixedCollection',
    default: {},
    typeOptions: { multipleValues: true },
    options: ofKinds.map((kind) => {
      const { displayName: title = '', properties = [] } = kinds[kind] ?? {};
      return { name: kind, displayName: title, values: [...column, ...properties] };
    }),
  };
  const type = choice('filterExpressionType', 'Rows Match', combinations);
  return {
    displayName,
    name,
    type: 'fixedCollection',
    default: {},
    options: [{ name: 'filterExpressions', displayName: 'Filters', values: [type, expression] }],
  };
}

/** The filter of a report; `undefined` if no filter is set. */
export function filterOf(item: ServiceItem, path: string, defaultColumn: string): JsonObject | undefined {
  const group = `${path}.filterExpressions`;
  const expressions = Object.entries(kinds).flatMap(([name, { read }]) =>
    entriesAt(item, `${group}.expression.${name}`).map(({ entry, path: at }) => ({
      filter: { fieldName: columnName(item, at, entry, defaultColumn), [name]: read(item, at) },
    })),
  );
  if (expressions.length <= 1) return expressions[0];
  const type = chosen(item, `${group}.filterExpressionType`, combinations);
  return { [type]: { expressions } };
}

/** The entries of a list, or a single entry, with their paths. */
function entriesAt(item: ServiceItem, path: string): { entry: JsonObject; path: string }[] {
  const isList = Array.isArray(item.context.parameter<JsonValue>(path, item.index));
  return item.entries(path).map((entry, index) => ({ entry, path: isList ? `${path}.${index}` : path }));
}
