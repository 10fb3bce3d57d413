import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'whats-app': () => [
    {
      name: 'many components of a template',
      parameters: {
        resource: 'message',
        operation: 'sendTemplate',
        phoneNumberId: '1',
        recipientPhoneNumber: '1',
        template: 't|en',
        textBody: '',
        components: {
          component: Array.from({ length: 20_000 }, () => ({
            type: 'body',
            bodyParameters: { parameter: [{ text: 'x'.repeat(500) }] },
          })),
        },
      },
      answer: accepted,
    },
    {
      name: 'a long number',
      parameters: {
        resource: 'message',
        operation: 'send',
        phoneNumberId: '1',
        recipientPhoneNumber: `1${'-'.repeat(15_000_000)}`,
        template: '',
        textBody: 'x',
        components: { component: [] },
      },
      answer: accepted,
    },
  ],
  'whats-app-trigger': () => [],
};
