import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './coin-gecko.example.ts';
import { coinGecko } from './coin-gecko.ts';
import { coinGeckoServer } from './testing/coin-gecko-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await coinGeckoServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(coinGecko, { parameters, http: server.http, ...more });
const sent = () => server.received.map(({ url }) => decodeURIComponent(url.replace('/api/v3', '')));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['/simple/price?ids=bitcoin&vs_currencies=usd,eur']);
});

test.each<[JsonObject, string[], number]>([
  [{ operation: 'getAll', limit: 2 }, ['/coins/list'], 2],
  [{ operation: 'getAll', returnAll: true }, ['/coins/list'], 251],
  [
    {
      operation: 'market',
      baseCurrency: 'USD',
      options: { ids: 'bitcoin, tether', sparkline: true, price_change_percentage: '1h,7d' },
    },
    ['/coins/markets?vs_currency=usd&ids=bitcoin,tether&price_change_percentage=1h,7d&sparkline=true&per_page=100'],
    100,
  ],
  [
    { operation: 'market', baseCurrency: 'usd', returnAll: true, options: { category: 'stablecoins', order: 'id_asc' } },
    [
      '/coins/markets?vs_currency=usd&category=stablecoins&order=id_asc&per_page=250',
      '/coins/markets?vs_currency=usd&category=stablecoins&order=id_asc&per_page=250&page=2',
    ],
    251,
  ],
  [
    { operation: 'ticker', coinId: 'bitcoin', returnAll: true },
    ['/coins/bitcoin/tickers', '/coins/bitcoin/tickers?page=2'],
    101,
  ],
  [{ operation: 'ticker', coinId: 'bitcoin', limit: 1 }, ['/coins/bitcoin/tickers'], 1],
])('lists are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  server.on('GET /api/v3/coins/markets', ({ query }) => ({
    json: Array.from({ length: query['page'] === '2' ? 1 : Number(query['per_page']) }, (_, id) => ({ id })),
  }));
  expect(await run(parameters)).toHaveLength(count);
  expect(sent()).toEqual(requests);
});

test.each<[JsonObject, string, JsonObject[]]>([
  [
    { operation: 'get', coinId: ' bitcoin ', options: { tickers: false, sparkline: true } },
    '/coins/bitcoin?tickers=false&sparkline=true',
    [{ id: 'bitcoin' }],
  ],
  [
    { operation: 'history', coinId: 'bitcoin', date: '2026-01-31T10:00:00Z', options: { localization: false } },
    '/coins/bitcoin/history?date=31-01-2026&localization=false',
    [{ id: 'bitcoin' }],
  ],
  [
    { operation: 'candlestick', coinId: 'bitcoin', baseCurrency: 'usd', days: 7 },
    '/coins/bitcoin/ohlc?vs_currency=usd&days=7',
    [{ time: 1, open: 10, high: 12, low: 9, close: 11 }],
  ],
  [
    { operation: 'marketChart', coinId: 'bitcoin', baseCurrency: 'usd', days: 'max' },
    '/coins/bitcoin/market_chart?vs_currency=usd&days=max',
    [
      { time: 1, price: 10, market_cap: 100, total_volume: 5 },
      { time: 2, price: 11, market_cap: 110, total_volume: null },
    ],
  ],
])('%j requests %s', async (parameters, request, items) => {
  expect(await run(parameters)).toEqual(items);
  expect(sent()).toEqual([request]);
});

test.each<[JsonObject, string]>([
  [{ operation: 'get' }, 'the parameter "coinId" is required'],
  [{ operation: 'market' }, 'the parameter "baseCurrency" is required'],
  [{ operation: 'price', currencies: 'usd' }, 'the parameter "coinIds" is required'],
  [{ operation: 'history', coinId: 'x', date: 'soon' }, 'the parameter "date" is not a date'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from CoinGecko; a rate-limited request is retried', async () => {
  server.on('GET /api/v3/coins/:id', ({ count }) => {
    if (count === 1) return { status: 404, json: { error: 'coin not found' } };
    return count === 2
      ? { status: 429, headers: { 'retry-after': '0' }, json: { status: { error_code: 429, error_message: 'Slow down' } } }
      : { json: { id: 'bitcoin' } };
  });
  expect(await run({ operation: 'get', coinId: 'x' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'CoinGecko: coin not found (404)' },
    { id: 'bitcoin' },
  ]);
});
