import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const ids = { type: 'string', pattern: '^[a-z0-9-]+(,[a-z0-9-]+)*$' };
const currency = { type: 'string', pattern: '^[a-z]+$' };
const flag = { enum: ['true', 'false'] };
const page = { type: 'string', pattern: '^[1-9]\\d*$' };
const period = fields({ 'vs_currency!': currency, 'days!': { type: 'string', pattern: '^(\\d+|max)$' } });

/**
 * https://docs.coingecko.com/reference/introduction; there are 251 coins, and 101 tickers of each.
 */
export function coinGeckoServer(): Promise<ApiServer> {
  const coins = Array.from({ length: 251 }, (_, id) => ({ id: `coin-${id}`, symbol: `c${id}`, name: `Coin ${id}` }));
  const part = (list: object[], size: number, from: unknown) => list.slice((Number(from ?? 1) - 1) * size).slice(0, size);
  return apiServer({
    baseUrl: 'https://api.coingecko.com',
    routes: {
      'GET /api/v3/coins/list': { answer: () => ({ json: coins }) },
      'GET /api/v3/coins/markets': {
        query: fields({
          'vs_currency!': currency,
          ids,
          category: ids,
          order: { enum: ['market_cap_desc', 'market_cap_asc', 'volume_desc', 'volume_asc', 'id_asc', 'id_desc'] },
          sparkline: flag,
          price_change_percentage: { type: 'string', pattern: '^\\d+[hdy](,\\d+[hdy])*$' },
          'per_page!': { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|2[0-4]\\d|250)$' },
          page,
        }),
        answer: ({ query }) => ({ json: part(coins, Number(query['per_page']), query['page']) }),
      },
      'GET /api/v3/simple/price': {
        query: fields({
          'ids!': ids,
          'vs_currencies!': { type: 'string', pattern: '^[a-z]+(,[a-z]+)*$' },
          include_market_cap: flag,
          include_24hr_vol: flag,
          include_24hr_change: flag,
          include_last_updated_at: flag,
        }),
        answer: () => ({ json: { bitcoin: { usd: 100_000, eur: 90_000 } } }),
      },
      'GET /api/v3/coins/:id': {
        query: fields({
          localization: flag,
          tickers: flag,
          market_data: flag,
          community_data: flag,
          developer_data: flag,
          sparkline: flag,
        }),
        answer: ({ params }) => ({ json: { id: params['id'] } }),
      },
      'GET /api/v3/coins/:id/tickers': {
        query: fields({ page }),
        answer: ({ query }) => ({ json: { name: 'Bitcoin', tickers: part(coins.slice(0, 101), 100, query['page']) } }),
      },
      'GET /api/v3/coins/:id/history': {
        query: fields({ 'date!': { type: 'string', pattern: '^\\d\\d-\\d\\d-\\d{4}$' }, localization: flag }),
        answer: ({ params }) => ({ json: { id: params['id'] } }),
      },
      'GET /api/v3/coins/:id/ohlc': { query: period, answer: () => ({ json: [[1, 10, 12, 9, 11]] }) },
      'GET /api/v3/coins/:id/market_chart': {
        query: period,
        answer: () => ({
          json: {
            prices: [
              [1, 10],
              [2, 11],
            ],
            market_caps: [
              [1, 100],
              [2, 110],
            ],
            total_volumes: [[1, 5]],
          },
        }),
      },
    },
  });
}
