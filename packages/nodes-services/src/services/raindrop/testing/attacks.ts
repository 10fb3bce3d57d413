import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  raindrop: () => [
    {
      name: 'many tags',
      parameters: {
        resource: 'bookmark',
        operation: 'create',
        collectionId: '-1',
        link: 'x',
        additionalFields: { tags: 'a,'.repeat(900_000) },
      },
      answer: () => '{"result":true,"item":{}}',
    },
    {
      name: 'many collections',
      parameters: { operation: 'getAll', returnAll: true },
      answer: () => `{"result":true,"items":${manyObjects(900_000)}}`,
    },
  ],
};
