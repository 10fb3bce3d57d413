import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  telegram: () => [
    {
      name: 'a large keyboard',
      parameters: {
        resource: 'message',
        operation: 'sendMessage',
        chatId: '1',
        text: 'x'.repeat(15_000_000),
        replyMarkup: 'inlineKeyboard',
        inlineKeyboard: {
          rows: Array.from({ length: 50_000 }, () => ({ row: { buttons: [{ text: 'a', additionalFields: {} }] } })),
        },
      },
      answer: accepted,
    },
  ],
  'telegram-trigger': () => [],
};
