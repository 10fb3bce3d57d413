import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, localTime, names, namesParameter, options, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage, type Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://docs.coingecko.com/reference/introduction, without a key. */
const client = new ApiClient({
  service: 'CoinGecko',
  credentialType: () => undefined,
  baseUrl: 'https://api.coingecko.com/api/v3',
  refusalOf({ body }) {
    const { error_message: message } = objectOf(objectOf(body)['status']);
    return typeof message === 'string' ? { text: message } : {};
  },
});

const coinId = text('coinId', 'Coin ID', 'ID of the coin, such as `bitcoin`; "Get Many" lists the IDs', { required: true });
const baseCurrency = text('baseCurrency', 'Base Currency', 'Currency of the prices, such as `usd`', { required: true });
const days = text('days', 'Range (Days)', 'Number of days up to now, or `max`', { default: '1' });
const pageSize = 250;

const coinPath = (item: ServiceItem) => `/coins/${encodeURIComponent(item.required('coinId').trim())}`;
const currency = (item: ServiceItem) => item.required('baseCurrency').trim().toLowerCase();
const period = (item: ServiceItem): JsonObject => ({ vs_currency: currency(item), days: item.text('days', '1') });

/** A full page may not be the last one. */
const pagesOf = (list: string, size: number): Paging => ({
  list,
  next: (_, count, page) => (count === page * size ? { query: { page: page + 1 } } : undefined),
});

/** Rows of numbers as items with these names. */
function rows(value: JsonValue | undefined, columns: readonly string[]): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter(Array.isArray).map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

/** Prices, market caps, and volumes have the same times. */
async function chart(item: ServiceItem): Promise<JsonObject[]> {
  const body = objectOf(await item.send({ path: `${coinPath(item)}/market_chart`, query: period(item) }));
  const caps = rows(body['market_caps'], ['time', 'value']);
  const volumes = rows(body['total_volumes'], ['time', 'value']);
  return rows(body['prices'], ['time', 'price']).map((point, index) => ({
    ...point,
    market_cap: caps[index]?.['value'] ?? null,
    total_volume: volumes[index]?.['value'] ?? null,
  }));
}

async function price(item: ServiceItem): Promise<JsonValue | undefined> {
  const query = {
    ids: listed(item, 'coinIds'),
    vs_currencies: listed(item, 'currencies').toLowerCase(),
    ...switches(item, priceSwitches),
  };
  return item.send({ path: '/simple/price', query });
}

function listed(item: ServiceItem, name: string): string {
  const values = namesParameter(item.context, name, item.index);
  if (values.length > 0) return values.join();
  throw item.error(`the parameter "${name}" is required`, 'Set it to one or more values, separated by commas');
}

const priceSwitches = [
  toggle('include_market_cap', 'Include Market Cap', 'Whether to return the market cap'),
  toggle('include_24hr_vol', 'Include 24 Hour Volume', 'Whether to return the volume of the last 24 hours'),
  toggle('include_24hr_change', 'Include 24 Hour Change', 'Whether to return the change in the last 24 hours'),
  toggle('include_last_updated_at', 'Include Last Updated At', 'Whether to return the time of the price'),
];
const coinSwitches = [
  toggle('localization', 'Localization', 'Whether to return the names in all languages', { default: true }),
  toggle('tickers', 'Tickers', 'Whether to return the tickers', { default: true }),
  toggle('market_data', 'Market Data', 'Whether to return market data', { default: true }),
  toggle('community_data', 'Community Data', 'Whether to return data of the community', { default: true }),
  toggle('developer_data', 'Developer Data', 'Whether to return data of the developers', { default: true }),
  toggle('sparkline', 'Sparkline', 'Whether to return the prices of the last 7 days'),
];

/** The switches that the author set. */
function switches(item: ServiceItem, members: readonly { name: string }[]): JsonObject {
  const set = item.fields('options');
  const chosen = members.filter(({ name }) => name in set);
  return Object.fromEntries(chosen.map(({ name }) => [name, item.toggle(`options.${name}`)]));
}

function historyDay(item: ServiceItem): string {
  const value = item.context.parameter<JsonValue>('date', item.index) ?? '';
  const local = localTime(typeof value === 'string' ? value.slice(0, 100) : value, item.context.workflow.timezone);
  if (local) return local.date.split('-').toReversed().join('-');
  throw item.error('the parameter "date" is not a date', 'Set it to a day such as 2026-01-31');
}

const coin: Resource = {
  displayName: 'Coin',
  initial: 'getAll',
  operations: {
    candlestick: {
      displayName: 'Candlestick',
      description: 'Returns opening, highest, lowest, and closing prices',
      properties: [coinId, baseCurrency, days],
      run: async (item) =>
        rows(await item.send({ path: `${coinPath(item)}/ohlc`, query: period(item) }), [
          'time',
          'open',
          'high',
          'low',
          'close',
        ]),
    },
    get: {
      displayName: 'Get',
      description: 'Returns a coin with its current data',
      properties: [coinId, options(coinSwitches)],
      run: (item) => item.send({ path: coinPath(item), query: switches(item, coinSwitches) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns ID, symbol, and name of the coins',
      properties: listPropertiesOf(100),
      run: (item) => item.list({ path: '/coins/list' }, onePage(), item.limit(100)),
    },
    history: {
      displayName: 'History',
      description: 'Returns the data of a coin on a day',
      properties: [
        coinId,
        text('date', 'Date', 'The day', { type: 'dateTime', required: true }),
        options([toggle('localization', 'Localization', 'Whether to return the names in all languages', { default: true })]),
      ],
      run: (item) =>
        item.send({
          path: `${coinPath(item)}/history`,
          query: { date: historyDay(item), ...switches(item, [{ name: 'localization' }]) },
        }),
    },
    market: {
      displayName: 'Market',
      description: 'Returns price, market cap, and volume of coins',
      properties: [
        baseCurrency,
        ...listPropertiesOf(100),
        options([
          names('ids', 'Coin IDs', 'Only these coins; commas separate several'),
          text('category', 'Category', 'Only coins of this category, such as `stablecoins`'),
          choice('order', 'Order', [
            ...choices(['market_cap_desc', 'Market Cap, Highest First'], ['market_cap_asc', 'Market Cap, Lowest First']),
            ...choices(['volume_desc', 'Volume, Highest First'], ['volume_asc', 'Volume, Lowest First']),
            ...choices(['id_asc', 'ID'], ['id_desc', 'ID, Reversed']),
          ]),
          toggle('sparkline', 'Sparkline', 'Whether to return the prices of the last 7 days'),
          names('price_change_percentage', 'Price Change Percentage', 'Periods of changes, such as `1h,24h,7d`'),
        ]),
      ],
      run: market,
    },
    marketChart: {
      displayName: 'Market Chart',
      description: 'Returns prices, market caps, and volumes over time',
      properties: [coinId, baseCurrency, days],
      run: chart,
    },
    price: {
      displayName: 'Price',
      description: 'Returns the current prices of coins: an object for each coin ID, with the currencies',
      properties: [
        names('coinIds', 'Coin IDs', 'IDs of coins; commas separate several', { required: true }),
        names('currencies', 'Currencies', 'Currencies of the prices; commas separate several', { required: true }),
        options(priceSwitches),
      ],
      run: price,
    },
    ticker: {
      displayName: 'Ticker',
      description: 'Returns the markets in which a coin is traded',
      properties: [coinId, ...listPropertiesOf(100)],
      run: (item) => item.list({ path: `${coinPath(item)}/tickers` }, pagesOf('tickers', 100), item.limit(100)),
    },
  },
};

function market(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const size = Math.min(limit, pageSize);
  const joined = (name: string) => namesParameter(item.context, `options.${name}`, item.index).join();
  const query = {
    vs_currency: currency(item),
    ids: joined('ids'),
    category: item.text('options.category'),
    order: item.text('options.order'),
    price_change_percentage: joined('price_change_percentage'),
    ...switches(item, [{ name: 'sparkline' }]),
    per_page: size,
  };
  return item.list({ path: '/coins/markets', query }, pagesOf('', size), limit);
}

/** Prices of cryptocurrencies. */
export const coinGecko = defineService({
  displayName: 'CoinGecko',
  name: 'coin-gecko',
  version: 1,
  description: 'Gets prices and markets of cryptocurrencies from CoinGecko',
  icon: 'fa:coins',
  iconColor: 'green',
  group: ['input'],
  client,
  resources: { coin },
});
