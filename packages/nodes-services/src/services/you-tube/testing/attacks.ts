import type { Attacks } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'you-tube': () => [
    {
      name: 'many tags',
      parameters: {
        resource: 'video',
        operation: 'update',
        videoId: 'v',
        title: 'T',
        categoryId: '1',
        updateFields: { tags: Array.from({ length: 200_000 }, (_, id) => `tag ${id}`) },
      },
      answer: () => '{"items":[{"id":"v"}]}',
    },
  ],
};
