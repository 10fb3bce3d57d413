import { type Attacks, located } from '../../../testing/attack.ts';

const row = '{"dimensionValues":[{"value":"a"}],"metricValues":[{"value":"1"}]}';

export const attacks: Attacks = {
  'google-analytics': () => [
    {
      name: 'many rows',
      parameters: { propertyId: located('1'), returnAll: true },
      answer: () =>
        `{"dimensionHeaders":[{"name":"date"}],"metricHeaders":[{"name":"m"}],"rows":[${`${row},`.repeat(9_999)}${row}],"rowCount":90000000}`,
    },
    {
      name: 'a long ID',
      parameters: { propertyId: located('1'.repeat(2_000_000)) },
      answer: () => '{}',
    },
  ],
};
