import { defineService } from '../../shared/define-service.ts';
import { callback } from './callback.ts';
import { chat } from './chat.ts';
import { file } from './file.ts';
import { message } from './message.ts';
import { telegramClient } from './telegram-client.ts';

export const telegram = defineService({
  displayName: 'Telegram',
  name: 'telegram',
  version: [1, 1.1, 1.2],
  description: 'Sends messages as a Telegram bot',
  credentials: [{ name: 'telegramApi', required: true }],
  icon: 'fa:paper-plane',
  iconColor: 'blue',
  client: telegramClient,
  unsupported: [
    {
      parameter: 'chatApproval',
      where: { operation: ['sendAndWait'] },
      what: 'an approval in the chat, by some of its users',
      hint: 'Switch it off: everyone with the message link can answer',
    },
  ],
  resources: { chat, callback, file, message },
  initial: 'message',
});
