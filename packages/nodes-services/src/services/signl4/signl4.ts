import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * https://docs.signl4.com/integrations/webhook/webhook.html: the credential adds the secret of the
 * team to the path.
 */
const client = new ApiClient({ service: 'SIGNL4', credentialType: 'signl4Api', baseUrl: 'https://connect.signl4.com' });

const alert: Resource = {
  displayName: 'Alert',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Alerts the people on duty',
      properties: [
        text('message', 'Message', 'Text of the alert', { typeOptions: { rows: 4 } }),
        collection('additionalFields', 'Additional Fields', [
          choice('alertingScenario', 'Alerting Scenario', [
            ...choices(['single_ack', 'Single Acknowledgment', 'One person must confirm']),
            ...choices(['multi_ack', 'Multiple Acknowledgments', 'Everyone on duty must confirm']),
            ...choices(['emergency', 'Emergency', 'Everyone in the team is alerted, on duty or not']),
          ]),
          text('externalId', 'External ID', 'ID by which "Resolve" finds the alert'),
          text('location', 'Location', 'Latitude and longitude, such as `40.64,-73.77`'),
          text('service', 'Service', 'Category of the alert'),
          text('title', 'Title', 'Title of the alert'),
        ]),
      ],
      run: send,
    },
    resolve: {
      displayName: 'Resolve',
      description: 'Closes an alert',
      properties: [text('externalId', 'External ID', 'External ID of the alert', { required: true })],
      run: (item) =>
        item.send({ path: '/webhook', json: { 'X-S4-ExternalID': item.required('externalId'), 'X-S4-Status': 'resolved' } }),
    },
  },
};

function send(item: ServiceItem) {
  const more = (name: string) => item.text(`additionalFields.${name}`);
  const json = filledFields({
    Title: more('title'),
    Message: item.required('message'),
    'X-S4-AlertingScenario': more('alertingScenario'),
    'X-S4-ExternalID': more('externalId'),
    'X-S4-Location': more('location'),
    'X-S4-Service': more('service'),
    'X-S4-Status': 'new',
  });
  return item.send({ path: '/webhook', json });
}

/** Alerts for people on duty. */
export const signl4 = defineService({
  displayName: 'SIGNL4',
  name: 'signl4',
  version: 1,
  description: 'Sends and resolves alerts with SIGNL4',
  credentials: [{ name: 'signl4Api', required: true }],
  icon: 'fa:bullhorn',
  group: ['output'],
  client,
  resources: { alert },
});
