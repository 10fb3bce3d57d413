import type { Attacks } from '../../../testing/attack.ts';

const list = { resource: 'folder', operation: 'list', path: '/' };

export const attacks: Attacks = {
  'next-cloud': () => [
    {
      name: 'many files',
      parameters: list,
      answer: () => `<d:multistatus>${'<d:response><d:href>/a</d:href></d:response>'.repeat(100_000)}</d:multistatus>`,
    },
    { name: 'deep elements', parameters: list, answer: () => '<a>'.repeat(500_000) },
    { name: 'a long error', parameters: list, status: 400, answer: () => `<s:message>${'<s:message>'.repeat(500_000)}` },
    { name: 'a long path', parameters: { ...list, path: '/'.repeat(5_000_000) }, answer: () => '' },
  ],
};
