import { type Attacks, manyObjects } from '../../../testing/attack.ts';

const manyRows = (count: number) => `[${'[1,2],'.repeat(count)}[1,2]]`;

export const attacks: Attacks = {
  'coin-gecko': () => [
    { name: 'many coins', parameters: { returnAll: true }, answer: () => manyObjects(900_000) },
    {
      name: 'many points of a chart',
      parameters: { operation: 'marketChart', coinId: 'x', baseCurrency: 'usd' },
      answer: () => `{"prices":${manyRows(400_000)},"market_caps":${manyRows(400_000)},"total_volumes":[]}`,
    },
    {
      name: 'many candlesticks',
      parameters: { operation: 'candlestick', coinId: 'x', baseCurrency: 'usd' },
      answer: () => manyRows(900_000),
    },
    {
      name: 'many IDs',
      parameters: { operation: 'price', coinIds: 'a,'.repeat(900_000), currencies: 'usd' },
      answer: () => '{}',
    },
  ],
};
