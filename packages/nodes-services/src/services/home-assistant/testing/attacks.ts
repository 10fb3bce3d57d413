import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'home-assistant': () => [
    {
      name: 'many states',
      parameters: { resource: 'state', operation: 'getAll', returnAll: true },
      answer: () => manyObjects(900_000),
    },
    {
      name: 'many changed states',
      parameters: { resource: 'service', operation: 'call', domain: 'a', service: 'b' },
      answer: () => manyObjects(900_000),
    },
  ],
};
