import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-docs': () => [
    {
      name: 'a long document',
      parameters: { operation: 'get', documentURL: 'd' },
      answer: () => `{"body":{"content":[${paragraphs(200_000)}]}}`,
    },
    {
      name: 'many actions',
      parameters: {
        operation: 'update',
        documentURL: 'd',
        actionsUi: { actionFields: Array.from({ length: 100_000 }, () => ({ action: 'insert', text: 'x' })) },
      },
      answer: accepted,
    },
  ],
};

function paragraphs(count: number): string {
  return Array.from({ length: count }, () => '{"paragraph":{"elements":[{"textRun":{"content":"x"}}]}}').join();
}
