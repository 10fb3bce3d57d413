import { type Attacks, large, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-cloud-storage': () => [
    {
      name: 'many buckets',
      parameters: { projectId: 'p', returnAll: true },
      answer: () => `{"items":${manyObjects(300_000)},"nextPageToken":"x"}`,
    },
    {
      name: 'a long text',
      parameters: {
        resource: 'object',
        operation: 'create',
        bucketName: 'b',
        objectName: 'o',
        createFromBinary: false,
        createContent: 'x'.repeat(8_000_000),
      },
      items: [large()],
      answer: () => '{}',
    },
  ],
};
