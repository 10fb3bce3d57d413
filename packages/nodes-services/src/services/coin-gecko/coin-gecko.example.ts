import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Gets the price of Bitcoin in two currencies.',
  needs: 'no account: the public API of CoinGecko is free within its limits',
  notes:
    'The public API allows a few requests per minute for each IP address of the workers. The service no longer has the list of events, so there is no resource "Event". Rows of charts are items with named values; times are in milliseconds.',
  parameters: { operation: 'price', coinIds: ['bitcoin'], currencies: ['usd', 'eur'] },
  inputs: [[{}]],
  outputs: [[{ bitcoin: { usd: 100_000, eur: 90_000 } }]],
};
