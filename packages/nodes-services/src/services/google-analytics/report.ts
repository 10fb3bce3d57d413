import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { propertyPath, propertyUrl } from './google-analytics-client.ts';
import { chosenColumns, defaultDimension, defaultMetric, dimensions, metrics } from './report-columns.ts';
import { dateProperties, dateRangeOf } from './report-dates.ts';
import { dimensionFilters, filterOf, metricFilters } from './report-filters.ts';

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

/**
 * https://developers.google.com/analytics/devguides/reporting/data/v1/rest/v1beta/properties/runReport
 */
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
          dimensionFilters,
          toggle('keepEmptyRows', 'Keep Empty Rows', 'Whether to return rows whose metrics are all 0'),
          {
            displayName: 'Metric Aggregations',
            name: 'metricAggregations',
            type: 'multiOptions',
            default: [],
            options: choices(['MAXIMUM', 'Maximum'], ['MINIMUM', 'Minimum'], ['TOTAL', 'Total']),
            description: 'Aggregations of all rows; only in the response without "Simplify"',
          },
          metricFilters,
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
  const namesOf = (member: string) => objectsOf(body[member]).map(({ name = '' }) => asText(name));
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
  const dimensionFilter = filterOf(item, 'additionalFields.dimensionFiltersUI', defaultDimension);
  const metricFilter = filterOf(item, 'additionalFields.metricsFiltersUI', defaultMetric);
  return {
    dateRanges: [dateRangeOf(item)],
    metrics: chosenColumns(item, 'metricsGA4.metricValues', defaultMetric),
    dimensions: chosenColumns(item, 'dimensionsGA4.dimensionValues', defaultDimension),
    ...(dimensionFilter && { dimensionFilter }),
    ...(metricFilter && { metricFilter }),
    ...(currencyCode !== undefined && { currencyCode }),
    ...(keepEmptyRows !== undefined && { keepEmptyRows }),
    ...(aggregations.length > 0 && { metricAggregations: aggregations }),
    ...(orderBys.length > 0 && { orderBys }),
    ...(returnPropertyQuota !== undefined && { returnPropertyQuota }),
  };
}
