import type { JsonObject } from '@sluice/node-sdk';
import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const day = { type: 'string', pattern: '^(\\d{4}-\\d{2}-\\d{2}|today|yesterday|\\d+daysAgo)$' };
const numeric = {
  oneOf: [fields({ 'int64Value!': { type: 'string', pattern: '^-?\\d+$' } }), fields({ 'doubleValue!': { type: 'number' } })],
};
const filter = fields({
  'filter!': {
    ...fields({
      'fieldName!': text,
      stringFilter: fields({
        matchType: { enum: ['EXACT', 'BEGINS_WITH', 'ENDS_WITH', 'CONTAINS', 'FULL_REGEXP', 'PARTIAL_REGEXP'] },
        'value!': { type: 'string' },
        caseSensitive: flag,
      }),
      inListFilter: fields({ 'values!': { type: 'array', items: text, minItems: 1 }, caseSensitive: flag }),
      numericFilter: fields({
        'operation!': { enum: ['EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL'] },
        'value!': numeric,
      }),
      betweenFilter: fields({ 'fromValue!': numeric, 'toValue!': numeric }),
    }),
    minProperties: 2,
    maxProperties: 2,
  },
});
const group = fields({ 'expressions!': { type: 'array', items: filter, minItems: 1 } });
const filterExpression = { oneOf: [filter, fields({ 'andGroup!': group }), fields({ 'orGroup!': group })] };
const allRows: readonly (readonly [string, string])[] = [
  ['Germany', '7'],
  ['Italy', '5'],
];

/**
 * https://developers.google.com/analytics/devguides/reporting/data/v1/rest, for the token `ya29`.
 */
export function googleAnalyticsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://analyticsdata.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'POST /v1beta/properties/:id::runReport': {
        body: fields({
          'dateRanges!': { type: 'array', minItems: 1, items: fields({ 'startDate!': day, 'endDate!': day }) },
          'metrics!': { type: 'array', items: fields({ 'name!': text, expression: text, invisible: flag }) },
          'dimensions!': { type: 'array', items: fields({ 'name!': text }) },
          'limit!': { type: 'integer', minimum: 1, maximum: 250_000 },
          offset: { type: 'integer' },
          currencyCode: { type: 'string', pattern: '^[A-Z]{3}$' },
          dimensionFilter: filterExpression,
          metricFilter: filterExpression,
          keepEmptyRows: flag,
          metricAggregations: { type: 'array', items: { enum: ['TOTAL', 'MINIMUM', 'MAXIMUM', 'COUNT'] } },
          orderBys: {
            type: 'array',
            items: {
              oneOf: [
                fields({ 'desc!': flag, 'metric!': fields({ 'metricName!': text }) }),
                fields({ 'desc!': flag, 'dimension!': fields({ 'dimensionName!': text, 'orderType!': text }) }),
              ],
            },
          },
          returnPropertyQuota: flag,
        }),
        answer({ body }) {
          const { dimensions, metrics, limit, offset = 0 } = body as JsonObject & { limit: number; offset?: number };
          const rows = allRows.slice(offset, offset + limit);
          return {
            json: {
              dimensionHeaders: dimensions,
              metricHeaders: metrics,
              rows: rows.map(([dimension, metric]) => ({
                dimensionValues: [{ value: dimension }],
                metricValues: [{ value: metric }],
              })),
              rowCount: allRows.length,
              kind: 'analyticsData#runReport',
            },
          };
        },
      },
      'GET /v1beta/properties/:id/metadata': {
        answer: () => ({
          json: {
            metrics: [{ apiName: 'totalUsers', uiName: 'Total users' }],
            dimensions: [{ apiName: 'city', uiName: 'City' }],
          },
        }),
      },
    },
  });
}

/** https://developers.google.com/analytics/devguides/config/admin/v1 */
export function analyticsAdminServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://analyticsadmin.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /v1beta/accountSummaries': {
        query: fields({ 'pageSize!': { const: '200' }, pageToken: text }),
        answer: () => ({
          json: {
            accountSummaries: [
              {
                displayName: 'Acme',
                propertySummaries: [
                  { property: 'properties/1', displayName: 'Shop' },
                  { property: 'properties/2', displayName: 'Blog' },
                ],
              },
              { displayName: 'Empty' },
            ],
          },
        }),
      },
    },
  });
}
