import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'api-template-io': () => [
    {
      name: 'many properties',
      parameters: {
        resource: 'pdf',
        pdfTemplateId: 'a',
        jsonParameters: true,
        propertiesJson: `{"a":${manyObjects(500_000)}}`,
      },
      answer: () => '{}',
    },
    {
      name: 'a long address',
      parameters: { resource: 'pdf', pdfTemplateId: 'a', download: true },
      answer: () => `{"download_url":"https://x.example/${'a'.repeat(5_000_000)}"}`,
    },
  ],
};
