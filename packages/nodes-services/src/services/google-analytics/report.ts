import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { propertyPath, propertyUrl } from './google-analytics-client.ts';
import { dateProperties, dateRangeOf } from './report-dates.ts';

const other: [string, string, string] = ['other', 'Other…', 'Any other, by its API name'];
const custom = { listName: ['custom'] };

const metrics = list(
  'metricsGA4',
  'Metrics',
  'metricValues',
  [
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
        ['custom', 'Custom…', 'A formula of other metrics'],
      ),
      { default: 'totalUsers' },
    ),
    text('name', 'Name or ID', 'API name of the metric, or the name of the custom metric', {
      ...where({ listName: ['other', 'custom'] }),
      typeOptions: { loadOptionsMethod: 'getMetricsGA4', loadOptionsDependsOn: ['propertyId.value'] },
    }),
    text('expression', 'Expression', 'Formula, such as `eventCount/totalUsers`', where(custom)),
    toggle('invisible', 'Invisible', 'Whether the metric is only used to order the rows', where(custom)),
  ],
  { default: { metricValues: [{ listName: 'totalUsers' }] } },
);

const dimensions = list(
  'dimensionsGA4',
  'Dimensions',
  'dimensionValues',
  [
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
      { default: 'date' },
    ),
    text('name', 'Name or ID', 'API name of the dimension', {
      ...where({ listName: ['other'] }),
      typeOptions: { loadOptionsMethod: 'getDimensionsGA4', loadOptionsDependsOn: ['propertyId.value'] },
    }),
  ],
  { default: { dimensionValues: [{ listName: 'date' }] } },
);

const desc = toggle('desc', 'Descending', 'Whether the largest value is first');
const orderBy: NodeProperty = {
  displayName: 'Order By',
  name: 'orderByUI',
  type: 'fixedCollection',
  default: {},
  typeOptions: { multipleValues: true },
  options: [
    {
      name: 'metricOrderBy',
      displayName: 'Metric Order By',
      values: [desc, text('metricName', 'Metric Name or ID', 'API name of a metric of the report')],
    },
    {
      name: 'dimmensionOrderBy',
      displayName: 'Dimension Order By',
      values: [
        desc,
        text('dimensionName', 'Dimension Name or ID', 'API name of a dimension of the report'),
        choice(
          'orderType',
          'Order Type',
          choices(
            ['ALPHANUMERIC', 'Alphanumeric'],
            ['CASE_INSENSITIVE_ALPHANUMERIC', 'Alphanumeric, Ignoring Case'],
            ['NUMERIC', 'Numeric'],
          ),
        ),
      ],
    },
  ],
};

const defaultLimit = 50;
/** The API returns at most 250,000 rows at once. */
const pageSize = 10_000;

/** https://developers.google.com/analytics/devguides/reporting/data/v1/rest/v1beta/properties/runReport */
export const report: Resource = {
  displayName: 'Report',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a report of a Google Analytics 4 property',
      properties: [
        choice(
          'propertyType',
          'Property Type',
          choices(
            ['ga4', 'Google Analytics 4'],
            ['universal', 'Universal Analytics', 'Not supported: Google switched it off in July 2024'],
          ),
        ),
        text('propertyId', 'Property', 'The property: from the list, by ID, or by URL', {
          required: true,
          typeOptions: { searchListMethod: 'searchProperties' },
        }),
        ...dateProperties,
        metrics,
        dimensions,
        ...listPropertiesOf(defaultLimit),
        toggle('simple', 'Simplify', 'Whether to return an item for each row, instead of the response', { default: true }),
        collection('additionalFields', 'Additional Fields', [
          text('currencyCode', 'Currency Code', 'Currency of amounts, such as `EUR`; default: that of the property'),
          toggle('keepEmptyRows', 'Keep Empty Rows', 'Whether to return rows whose metrics are all 0'),
          {
            displayName: 'Metric Aggregations',
            name: 'metricAggregations',
            type: 'multiOptions',
            default: [],
            options: choices(['MAXIMUM', 'Maximum'], ['MINIMUM', 'Minimum'], ['TOTAL', 'Total']),
            description: 'Aggregations of all rows; only in the response without "Simplify"',
          },
          orderBy,
          toggle('returnPropertyQuota', 'Return Property Quota', 'Whether the response has the quota that is left'),
        ]),
      ],
      run: runReport,
    },
  },
};

async function runReport(item: ServiceItem): Promise<Produced> {
  const limit = item.limit(defaultLimit);
  const isSimple = item.toggle('simple', true);
  let first: JsonObject | undefined;
  const pages: Paging = {
    list(body) {
      const page = objectOf(body);
      first ??= page;
      return isSimple ? rowsOf(page) : objectsOf(page['rows']);
    },
    next: ({ body }, count) => (count < Number(objectOf(body)['rowCount'] ?? 0) ? { json: { offset: count } } : undefined),
  };
  const path = `${propertyPath(item.id('propertyId', propertyUrl))}:runReport`;
  const json = { ...requestOf(item), limit: Math.min(limit, pageSize) };
  const rows = await item.list({ path, json }, pages, limit);
  return isSimple ? rows : { ...first, rows };
}

/** One object for each row: name of a dimension or metric → its value. */
function rowsOf(body: JsonObject): JsonObject[] {
  const namesOf = (member: string) => objectsOf(body[member]).map(({ name = '' }) => String(name));
  const [dimensionNames, metricNames] = [namesOf('dimensionHeaders'), namesOf('metricHeaders')];
  return objectsOf(body['rows']).map(({ dimensionValues, metricValues }) =>
    Object.fromEntries([...named(dimensionNames, dimensionValues), ...named(metricNames, metricValues)]),
  );
}

function named(names: readonly string[], values: JsonValue | undefined): [string, JsonValue][] {
  const entries = objectsOf(values);
  return names.map((name, index) => [name, entries[index]?.['value'] ?? null]);
}

function requestOf(item: ServiceItem): JsonObject {
  const { currencyCode, keepEmptyRows, metricAggregations, returnPropertyQuota } = item.fields('additionalFields');
  const orderBys = [
    ...item
      .entries('additionalFields.orderByUI.metricOrderBy')
      .map(({ desc: isDescending, metricName = '' }) => ({ desc: isDescending === true, metric: { metricName } })),
    ...item
      .entries('additionalFields.orderByUI.dimmensionOrderBy')
      .map(({ desc: isDescending, dimensionName = '', orderType = 'ALPHANUMERIC' }) => ({
        desc: isDescending === true,
        dimension: { dimensionName, orderType },
      })),
  ];
  const aggregations = [metricAggregations ?? []].flat();
  return {
    dateRanges: [dateRangeOf(item)],
    metrics: chosen(item, 'metricsGA4.metricValues', 'totalUsers'),
    dimensions: chosen(item, 'dimensionsGA4.dimensionValues', 'date'),
    ...(currencyCode !== undefined && { currencyCode }),
    ...(keepEmptyRows !== undefined && { keepEmptyRows }),
    ...(aggregations.length > 0 && { metricAggregations: aggregations }),
    ...(orderBys.length > 0 && { orderBys }),
    ...(returnPropertyQuota !== undefined && { returnPropertyQuota }),
  };
}

/** Metrics or dimensions; an entry without a choice is the default. */
function chosen(item: ServiceItem, path: string, fallback: string): JsonObject[] {
  const isWritten = item.context.parameter<JsonValue>(path.split('.')[0] as string, item.index) !== undefined;
  const entries = isWritten ? item.entries(path) : [{}];
  return entries.map(({ listName = fallback, name, expression, invisible }: JsonObject) => {
    if (listName !== 'other' && listName !== 'custom') return { name: listName };
    if (typeof name !== 'string' || name === '')
      throw item.error(`an entry of "${path}" has no name`, 'Set its name to the API name of a metric or dimension');
    return listName === 'other' ? { name } : { name, expression: expression ?? '', invisible: invisible === true };
  });
}
