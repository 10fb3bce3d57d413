import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  twilio: () => [
    {
      name: 'a long text to say',
      parameters: { resource: 'call', operation: 'make', from: '+1555', to: '+1555', message: '<&>'.repeat(1_000) },
      answer: accepted,
    },
  ],
};
