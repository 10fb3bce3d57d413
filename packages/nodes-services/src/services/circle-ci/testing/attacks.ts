import { type Attacks, large, manyObjects } from '../../../testing/attack.ts';

const project = { vcs: 'github', projectSlug: 'a/b' };

export const attacks: Attacks = {
  'circle-ci': () => [
    {
      name: 'many pipelines',
      parameters: { ...project, operation: 'getAll', returnAll: true },
      answer: () => `{"items":${manyObjects(900_000)},"next_page_token":"x"}`,
    },
    {
      name: 'large parameters',
      parameters: { ...project, operation: 'trigger', additionalFields: { parameters: large() } },
      answer: () => '{}',
    },
    { name: 'a slug of many parts', parameters: { ...project, projectSlug: 'a/'.repeat(900_000) }, answer: () => '{}' },
  ],
};
