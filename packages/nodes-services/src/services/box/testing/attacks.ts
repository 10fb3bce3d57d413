import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  box: () => [
    {
      name: 'many results',
      parameters: { operation: 'search', query: 'x', returnAll: true },
      answer: () => `{"total_count":100000000,"entries":${manyObjects(299_999)}}`,
    },
    {
      name: 'a long text',
      parameters: { fileName: 'x', fileContent: 'ä'.repeat(15_000_000) },
      answer: () => '{"entries":[]}',
    },
    {
      name: 'many folders to search',
      parameters: { operation: 'search', query: 'x', additionalFields: { ancestor_folder_ids: '1,'.repeat(900_000) } },
      answer: () => '{"entries":[]}',
    },
  ],
};
