import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'microsoft-one-drive': () => [
    {
      name: 'a long text',
      parameters: { resource: 'file', operation: 'upload', fileName: 'x', fileContent: 'ä'.repeat(15_000_000) },
      answer: accepted,
    },
  ],
};
