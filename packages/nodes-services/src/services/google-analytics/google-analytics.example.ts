import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Gets the page views of each country in the last 30 days.',
  needs:
    'a Google account, connected by OAuth2 with the scope `analytics.readonly`, and the ID of a Google Analytics 4 property',
  notes:
    'Enable the Google Analytics Data API in the Google Cloud console, and the Admin API to choose a property from the list. Values are text, as in the API. Google limits the tokens of a property per hour and day; the node waits for a minute at most.',
  parameters: {
    propertyId: { __rl: true, mode: 'id', value: '123' },
    dateRange: 'last30days',
    metricsGA4: { metricValues: [{ listName: 'screenPageViews' }] },
    dimensionsGA4: { dimensionValues: [{ listName: 'country' }] },
    additionalFields: {},
  },
  inputs: [[{}]],
  outputs: [
    [
      { country: 'Germany', screenPageViews: '7' },
      { country: 'Italy', screenPageViews: '5' },
    ],
  ],
};
