import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  dropbox: () => [
    { name: 'a long text', parameters: { path: '/x', fileContent: 'ä'.repeat(15_000_000) }, answer: accepted },
    { name: 'a long path', parameters: { path: 'ä'.repeat(5_000_000), fileContent: 'x' }, answer: accepted },
    {
      name: 'many entries',
      parameters: { resource: 'folder', operation: 'list', path: '/', returnAll: true },
      answer: () => `{"entries":[${'{"name":"a",".tag":"file"},'.repeat(200_000)}{}]}`,
    },
    {
      name: 'many matches',
      parameters: { resource: 'search', operation: 'query', query: 'x', returnAll: true },
      answer: () => `{"matches":[${'{"metadata":{"metadata":{"name":"a"}}},'.repeat(200_000)}{}]}`,
    },
  ],
};
