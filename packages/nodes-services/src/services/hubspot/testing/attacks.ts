import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  hubspot: () => [
    {
      name: 'many custom properties',
      parameters: {
        resource: 'deal',
        operation: 'create',
        stage: 'a',
        additionalFields: {
          customPropertiesUi: {
            customPropertiesValues: Array.from({ length: 100_000 }, (_, id) => ({ property: `p${id}`, value: 'x' })),
          },
        },
      },
      answer: accepted,
    },
  ],
  'hubspot-trigger': () => [],
};
