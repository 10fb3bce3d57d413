import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows:
    'The response has status 201 and a part of the item. The item passes to the first output, and the response to the second.',
  parameters: {
    enableResponseOutput: true,
    respondWith: 'json',
    responseBody: '={{ { id: $json.id } }}',
    options: { responseCode: 201 },
  },
  inputs: [[{ id: 7, secret: 'x' }]],
  outputs: [[{ id: 7, secret: 'x' }], [{ body: { id: 7 }, headers: {}, statusCode: 201 }]],
};
