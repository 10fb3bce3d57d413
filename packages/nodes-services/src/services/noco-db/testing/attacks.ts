import { type Attacks, accepted, large } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'noco-db': () => [
    {
      name: 'a large row',
      parameters: { operation: 'create', projectId: 'p', table: 't', dataToSend: 'autoMapInputData', inputsToIgnore: 'x' },
      items: [large()],
      answer: accepted,
    },
  ],
};
