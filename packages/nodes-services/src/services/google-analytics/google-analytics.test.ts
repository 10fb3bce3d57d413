import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson } from '@sluice/nodes-base/testing';
import { ServiceItem } from '../../shared/service-item.ts';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { example } from './google-analytics.example.ts';
import { googleAnalytics } from './google-analytics.ts';
import { analyticsClient } from './google-analytics-client.ts';
import { dateRangeOf } from './report-dates.ts';
import { analyticsAdminServer, googleAnalyticsServer } from './testing/google-analytics-server.ts';

let server: ApiServer;
let admin: ApiServer;
beforeAll(async () => {
  server = await googleAnalyticsServer();
  admin = await analyticsAdminServer();
});
afterEach(() => {
  server.verify();
  admin.verify();
});
afterAll(() => Promise.all([server.close(), admin.close()]));

const credentials = { googleAnalyticsOAuth2: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(googleAnalytics, { parameters: { propertyId: '123', ...parameters }, http: server.http, credentials, ...more });
const sent = (): JsonValue[] => server.received.map(({ body }) => JSON.parse(body.toString()));
const plain = {
  dateRanges: [{ startDate: '7daysAgo', endDate: 'today' }],
  metrics: [{ name: 'totalUsers' }],
  dimensions: [{ name: 'date' }],
  limit: 50,
};

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1beta/properties/123:runReport']);
  expect(sent()).toEqual([
    {
      ...plain,
      dateRanges: [{ startDate: '30daysAgo', endDate: 'today' }],
      metrics: [{ name: 'screenPageViews' }],
      dimensions: [{ name: 'country' }],
    },
  ]);
});

test.each<[JsonObject, JsonObject]>([
  [{}, {}],
  [
    { metricsGA4: {}, dimensionsGA4: {} },
    { metrics: [], dimensions: [] },
  ],
  [
    {
      metricsGA4: { metricValues: [{}, { listName: 'other', name: 'bounceRate' }] },
      dimensionsGA4: { dimensionValues: [{}, { listName: 'other', name: 'unifiedScreenName' }] },
    },
    {
      metrics: [{ name: 'totalUsers' }, { name: 'bounceRate' }],
      dimensions: [{ name: 'date' }, { name: 'unifiedScreenName' }],
    },
  ],
  [
    {
      metricsGA4: {
        metricValues: [{ listName: 'custom', name: 'rate', expression: 'eventCount/totalUsers', invisible: true }],
      },
    },
    { metrics: [{ name: 'rate', expression: 'eventCount/totalUsers', invisible: true }] },
  ],
  [
    {
      additionalFields: {
        currencyCode: 'EUR',
        keepEmptyRows: true,
        metricAggregations: ['TOTAL'],
        orderByUI: {
          metricOrderBy: [{ desc: true, metricName: 'totalUsers' }],
          dimmensionOrderBy: [{ dimensionName: 'date', orderType: 'NUMERIC' }],
        },
        returnPropertyQuota: true,
      },
    },
    {
      currencyCode: 'EUR',
      keepEmptyRows: true,
      metricAggregations: ['TOTAL'],
      orderBys: [
        { desc: true, metric: { metricName: 'totalUsers' } },
        { desc: false, dimension: { dimensionName: 'date', orderType: 'NUMERIC' } },
      ],
      returnPropertyQuota: true,
    },
  ],
  [
    {
      additionalFields: {
        dimensionFiltersUI: {
          filterExpressions: {
            expression: { stringFilter: [{ listName: 'pageLocation', value: 'https://a.test/', caseSensitive: false }] },
          },
        },
        metricsFiltersUI: {},
      },
    },
    {
      dimensionFilter: {
        filter: {
          fieldName: 'pageLocation',
          stringFilter: { matchType: 'EXACT', value: 'https://a.test/', caseSensitive: false },
        },
      },
    },
  ],
  [
    {
      additionalFields: {
        dimensionFiltersUI: {
          filterExpressions: {
            filterExpressionType: 'orGroup',
            expression: {
              stringFilter: [{ listName: 'city', matchType: 'CONTAINS', value: 'Ro' }],
              inListFilter: { listName: 'other', name: 'firstUserMedium', values: 'cpc, organic' },
            },
          },
        },
        metricsFiltersUI: {
          filterExpressions: {
            expression: {
              numericFilter: [{ operation: 'GREATER_THAN', value: '5' }],
              betweenFilter: [{ listName: 'eventCount', fromValue: 1.5, toValue: 9 }],
            },
          },
        },
      },
    },
    {
      dimensionFilter: {
        orGroup: {
          expressions: [
            { filter: { fieldName: 'city', stringFilter: { matchType: 'CONTAINS', value: 'Ro', caseSensitive: true } } },
            { filter: { fieldName: 'firstUserMedium', inListFilter: { values: ['cpc', 'organic'], caseSensitive: true } } },
          ],
        },
      },
      metricFilter: {
        andGroup: {
          expressions: [
            { filter: { fieldName: 'totalUsers', numericFilter: { operation: 'GREATER_THAN', value: { int64Value: '5' } } } },
            {
              filter: {
                fieldName: 'eventCount',
                betweenFilter: { fromValue: { doubleValue: 1.5 }, toValue: { int64Value: '9' } },
              },
            },
          ],
        },
      },
    },
  ],
])('%j asks for %j', async (parameters, request) => {
  await run(parameters);
  expect(sent()).toEqual([{ ...plain, ...request }]);
});

test.each(['properties/123', { __rl: true, mode: 'url', value: 'https://analytics.google.com/analytics/web/#/p123/reports' }])(
  'the property is found in %j',
  async (propertyId) => {
    await run({ propertyId });
    expect(server.received[0]?.url).toBe('/v1beta/properties/123:runReport');
  },
);

test('without "Simplify", all rows are in one item with the rest of the response', async () => {
  server.on('POST /v1beta/properties/:id::runReport', ({ body }) => {
    const { offset } = body as JsonObject;
    return { json: { rowCount: 3, rows: offset === 2 ? [{ c: 1 }] : [{ a: 1 }, { b: 1 }], metadata: { offset: offset ?? 0 } } };
  });
  expect(await run({ simple: false, returnAll: true })).toEqual([
    { rowCount: 3, rows: [{ a: 1 }, { b: 1 }, { c: 1 }], metadata: { offset: 0 } },
  ]);
  expect(sent()).toEqual([
    { ...plain, limit: 10_000 },
    { ...plain, limit: 10_000, offset: 2 },
  ]);
});

test('rows end at the limit', async () => {
  expect(await run({ limit: 1 })).toEqual([{ date: 'Germany', totalUsers: '7' }]);
  expect(sent()).toEqual([{ ...plain, limit: 1 }]);
});

test.each<[string, JsonObject, string, string]>([
  ['2026-03-02T00:30:00Z', { dateRange: 'lastCalendarWeek' }, '2026-02-23', '2026-03-01'],
  ['2026-03-01T22:30:00Z', { dateRange: 'lastCalendarWeek' }, '2026-02-16', '2026-02-22'],
  ['2026-03-01T23:30:00Z', { dateRange: 'lastCalendarWeek' }, '2026-02-23', '2026-03-01'],
  ['2026-01-15T12:00:00Z', { dateRange: 'lastCalendarMonth' }, '2025-12-01', '2025-12-31'],
  ['2026-02-28T23:30:00Z', { dateRange: 'lastCalendarMonth' }, '2026-02-01', '2026-02-28'],
  ['2026-01-15T12:00:00Z', { dateRange: 'today' }, 'today', 'today'],
  ['2026-01-15T12:00:00Z', { dateRange: 'yesterday' }, 'yesterday', 'yesterday'],
  [
    '2026-01-15T12:00:00Z',
    { dateRange: 'custom', startDate: '2026-01-01T23:30:00Z', endDate: '14daysAgo' },
    '2026-01-02',
    '14daysAgo',
  ],
])('at %s in Berlin, %j is %s to %s', (now, parameters, startDate, endDate) => {
  const item = new ServiceItem(fakeContext({ parameters, timezone: 'Europe/Berlin' }), 0, analyticsClient);
  expect(dateRangeOf(item, Date.parse(now))).toEqual({ startDate, endDate });
});

test.each<[JsonObject, string]>([
  [{ propertyId: '' }, 'the parameter "propertyId" is required'],
  [{ dateRange: 'custom', startDate: 'soon', endDate: 'today' }, 'the parameter "startDate" is not a date'],
  [{ dateRange: 'last90Days' }, 'the date range "last90Days" does not exist'],
  [{ metricsGA4: { metricValues: [{ listName: 'other' }] } }, 'an entry of "metricsGA4.metricValues" has no name'],
  [{ propertyType: 'universal' }, 'Universal Analytics is not supported yet'],
  [{ resource: 'userActivity' }, 'the user activity of Universal Analytics is not supported yet'],
  [
    {
      additionalFields: {
        dimensionFiltersUI: { filterExpressions: { expression: { stringFilter: [{ listName: 'other', value: 'x' }] } } },
      },
    },
    'an entry of "additionalFields.dimensionFiltersUI.filterExpressions.expression.stringFilter.0" has no name',
  ],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the reason from Google; a failed item does not affect the others, and a request over the quota is retried', async () => {
  server.on('POST /v1beta/properties/:id::runReport', ({ count }) => {
    if (count === 1) return { status: 403, json: { error: { message: 'No access', status: 'PERMISSION_DENIED' } } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: {} };
  });
  const output = await run({ simple: false }, { json: [{}, {}], continueOnFail: true });
  expect(output).toEqual([{ error: 'Google Analytics: No access (PERMISSION_DENIED)' }, { rows: [] }]);
});

test('editors choose properties, metrics, and dimensions', async () => {
  const context = (http: ApiServer['http'], parameters: JsonObject = {}): MethodContext =>
    webhookContext({ http, credentials, parameters });
  const { listSearch, loadOptions } = googleAnalytics.methods ?? {};
  expect(await listSearch?.['searchProperties']?.(context(admin.http), 'shop')).toEqual({
    results: [{ name: 'Shop (Acme)', value: '1', url: 'https://analytics.google.com/analytics/web/#/p1/' }],
  });
  const chosen = context(server.http, { propertyId: { __rl: true, mode: 'list', value: '1' } });
  expect(await loadOptions?.['getMetricsGA4']?.(chosen)).toEqual([{ name: 'Total users', value: 'totalUsers' }]);
  expect(await loadOptions?.['getDimensionsGA4']?.(chosen)).toEqual([{ name: 'City', value: 'city' }]);
  expect(await loadOptions?.['getMetricsGA4']?.(context(server.http))).toEqual([]);
});
