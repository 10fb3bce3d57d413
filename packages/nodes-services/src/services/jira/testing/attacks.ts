import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  jira: () => [
    {
      name: 'many lines',
      parameters: { resource: 'issueComment', operation: 'add', issueKey: 'A-1', comment: 'x\n'.repeat(16_000) },
      answer: accepted,
    },
  ],
};
