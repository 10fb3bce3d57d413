import { defineService } from '../../shared/define-service.ts';
import { matching } from '../../shared/list-choices.ts';
import { analyticsClient, columnsOf, propertiesOf } from './google-analytics-client.ts';
import { report } from './report.ts';

const switchedOff = 'Google switched it off in July 2024: choose a Google Analytics 4 property';
export const googleAnalytics = defineService({
  displayName: 'Google Analytics',
  name: 'google-analytics',
  version: 2,
  description: 'Gets reports from Google Analytics 4',
  credentials: [{ name: 'googleAnalyticsOAuth2', required: true }],
  icon: 'fa:chart-bar',
  iconColor: 'orange',
  group: ['input'],
  client: analyticsClient,
  unsupported: [
    { parameter: 'propertyType', values: ['universal'], what: 'Universal Analytics', hint: switchedOff },
    { parameter: 'resource', values: ['userActivity'], what: 'the user activity of Universal Analytics', hint: switchedOff },
  ],
  resources: { report },
  methods: {
    listSearch: {
      searchProperties: async (context, filter) => matching(await propertiesOf(context), filter),
    },
    loadOptions: {
      getDimensionsGA4: (context) => columnsOf(context, 'dimensions'),
      getMetricsGA4: (context) => columnsOf(context, 'metrics'),
    },
  },
});
