import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { ServiceItem } from '../../shared/service-item.ts';

const other: [string, string, string] = ['other', 'Other…', 'Any other, by its API name'];
const formula: [string, string, string] = ['custom', 'Custom…', 'A formula of other metrics'];
const custom = { listName: ['custom'] };

/** Column of a report or filter that has no choice. */
export const defaultMetric = 'totalUsers';
export const defaultDimension = 'date';

/** The parameters that choose a metric. */
export const metricFields = (...more: [string, string, string][]): readonly NodeProperty[] => [
  choice(
    'listName',
    'Metric',
    choices(
      ['active1DayUsers', '1 Day Active Users'],
      ['active28DayUsers', '28 Day Active Users'],
      ['active7DayUsers', '7 Day Active Users'],
      ['checkouts', 'Checkouts'],
      ['eventCount', 'Events'],
      ['screenPageViews', 'Page Views'],
      ['userEngagementDuration', 'Session Duration'],
      ['sessions', 'Sessions'],
      ['sessionsPerUser', 'Sessions per User'],
      ['totalUsers', 'Total Users'],
      other,
      ...more,
    ),
    { default: defaultMetric },
  ),
  text('name', 'Name or ID', 'API name of the metric, or the name of the custom metric', {
    ...where({ listName: ['other', ...more.map(([value]) => value)] }),
    typeOptions: { loadOptionsMethod: 'getMetricsGA4', loadOptionsDependsOn: ['propertyId.value'] },
  }),
];

/** The parameters that choose a dimension. */
export const dimensionFields: readonly NodeProperty[] = [
  choice(
    'listName',
    'Dimension',
    choices(
      ['browser', 'Browser'],
      ['campaignName', 'Campaign'],
      ['city', 'City'],
      ['country', 'Country'],
      ['date', 'Date'],
      ['deviceCategory', 'Device Category'],
      ['itemName', 'Item Name'],
      ['language', 'Language'],
      ['pageLocation', 'Page Location'],
      ['sourceMedium', 'Source / Medium'],
      other,
    ),
    { default: defaultDimension },
  ),
  text('name', 'Name or ID', 'API name of the dimension', {
    ...where({ listName: ['other'] }),
    typeOptions: { loadOptionsMethod: 'getDimensionsGA4', loadOptionsDependsOn: ['propertyId.value'] },
  }),
];

export const metrics = list(
  'metricsGA4',
  'Metrics',
  'metricValues',
  [
    ...metricFields(formula),
    text('expression', 'Expression', 'Formula, such as `eventCount/totalUsers`', where(custom)),
    toggle('invisible', 'Invisible', 'Whether the metric is only used to order or filter the rows', where(custom)),
  ],
  { default: { metricValues: [{ listName: defaultMetric }] } },
);

export const dimensions = list('dimensionsGA4', 'Dimensions', 'dimensionValues', dimensionFields, {
  default: { dimensionValues: [{ listName: defaultDimension }] },
});

/** Metrics or dimensions; an entry without a choice is the default. */
export function chosenColumns(item: ServiceItem, path: string, fallback: string): JsonObject[] {
  const isWritten = item.context.parameter<JsonValue>(path.split('.')[0] as string, item.index) !== undefined;
  const entries = isWritten ? item.entries(path) : [{}];
  return entries.map((entry: JsonObject) => {
    const name = columnName(item, path, entry, fallback);
    if (entry['listName'] !== 'custom') return { name };
    return { name, expression: entry['expression'] ?? '', invisible: entry['invisible'] === true };
  });
}

/** API name of the metric or dimension that an entry chooses. */
export function columnName(item: ServiceItem, path: string, entry: JsonObject, fallback: string): JsonValue {
  const { listName = fallback, name } = entry;
  if (listName !== 'other' && listName !== 'custom') return listName;
  if (typeof name === 'string' && name !== '') return name;
  throw item.error(`an entry of "${path}" has no name`, 'Set its name to the API name of a metric or dimension');
}
