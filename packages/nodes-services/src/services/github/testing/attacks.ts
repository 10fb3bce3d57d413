import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  github: () => [
    {
      name: 'a large file',
      parameters: {
        resource: 'file',
        operation: 'create',
        owner: 'a',
        repository: 'b',
        filePath: 'c',
        fileContent: 'ä'.repeat(15_000_000),
        commitMessage: 'd',
      },
      answer: accepted,
    },
    {
      name: 'a long path',
      parameters: { resource: 'file', operation: 'list', owner: 'a', repository: 'b', filePath: '/ä'.repeat(5_000_000) },
      answer: accepted,
    },
  ],
  'github-trigger': () => [],
};
