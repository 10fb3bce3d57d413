import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  reddit: () => [
    {
      name: 'many comments',
      parameters: { resource: 'postComment', operation: 'getAll', subreddit: 'x', postId: 'x' },
      answer: () => `[{},{"data":{"children":${manyObjects(500_000)}}}]`,
    },
  ],
};
