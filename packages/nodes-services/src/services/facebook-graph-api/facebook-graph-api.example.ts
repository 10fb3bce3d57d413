import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Publishes a container of media on Instagram.',
  needs: 'an access token with the permission `instagram_content_publish`',
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
