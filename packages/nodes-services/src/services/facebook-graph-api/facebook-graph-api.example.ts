import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Publishes a container of media on Instagram.',
  needs: 'an access token with the permission `instagram_content_publish`',
  notes: [
    'Setup: create an app in the [app dashboard](https://developers.facebook.com/apps), and generate a token with the permissions of the edge in the',
    '[Graph API Explorer](https://developers.facebook.com/tools/explorer). Such a token expires after a few hours. For a permanent one, create a system user in the business settings.',
    '',
    'Facebook limits: 200 requests per hour for each user of the app; Pages and Instagram accounts have their own limits. After more, the node waits for up to a minute.',
  ].join('\n'),
  parameters: {
    httpRequestMethod: 'POST',
    graphApiVersion: 'v23.0',
    node: '17841400000000000',
    edge: 'media_publish',
    options: { queryParameters: { parameter: [{ name: 'creation_id', value: '={{ $json.id }}' }] } },
  },
  inputs: [[{ id: '18000000000000000' }]],
  outputs: [[{ id: '17900000000000000' }]],
};
