import { type Attacks, large, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'send-grid': () => [
    {
      name: 'many lists',
      parameters: { resource: 'list', operation: 'getAll', returnAll: true },
      answer: () =>
        `{"result":${manyObjects(300_000)},"_metadata":{"next":"https://x.example/?${'page_token='.repeat(90_000)}"}}`,
    },
    {
      name: 'many errors',
      parameters: { resource: 'list', operation: 'get', listId: 'l' },
      status: 400,
      answer: () => `{"errors":${manyObjects(900_000)}}`,
    },
    {
      name: 'a long text',
      parameters: {
        resource: 'mail',
        fromEmail: 'a@x.example',
        toEmail: 'b@x.example',
        subject: 's',
        contentValue: 'x'.repeat(8_000_000),
      },
      items: [large()],
      answer: () => '',
    },
  ],
};
