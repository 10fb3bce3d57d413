import type { JsonValue } from '@sluice/node-sdk';
import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const chat = { type: ['integer', 'string'], minLength: 1 };
/** In a form, every value is text. */
const flag = { enum: [true, false, 'true', 'false'] };
const count = { type: ['integer', 'string'] };
const text = { type: 'string', minLength: 1 };
const file = { anyOf: [text, { type: 'object', required: ['name', 'type', 'text'] }] };
const mode = { enum: ['Markdown', 'MarkdownV2', 'HTML'] };
const markup = { type: ['object', 'string'] };
const common = {
  'chat_id!': chat,
  disable_notification: flag,
  message_thread_id: count,
  reply_to_message_id: count,
  reply_markup: markup,
};
const caption = { caption: { type: 'string', maxLength: 1024 }, parse_mode: mode };
const size = { width: count, height: count, duration: count, thumb: text };

/** Method of https://core.telegram.org/bots/api → its parameters and a sample of its result. */
const methods: Readonly<Record<string, readonly [parameters: Record<string, unknown>, result: JsonValue]>> = {
  getMe: [{}, { id: 1, is_bot: true, first_name: 'Bot' }],
  sendMessage: [
    { ...common, 'text!': { type: 'string', minLength: 1, maxLength: 4096 }, parse_mode: mode, disable_web_page_preview: flag },
    { message_id: 7, chat: { id: 5 }, text: 'Hello' },
  ],
  editMessageText: [
    {
      chat_id: chat,
      message_id: count,
      inline_message_id: text,
      'text!': text,
      parse_mode: mode,
      disable_web_page_preview: flag,
      reply_markup: markup,
    },
    { message_id: 7 },
  ],
  deleteMessage: [{ 'chat_id!': chat, 'message_id!': count }, true],
  pinChatMessage: [{ 'chat_id!': chat, 'message_id!': count, disable_notification: flag }, true],
  unpinChatMessage: [{ 'chat_id!': chat, message_id: count }, true],
  sendPhoto: [
    { ...common, ...caption, 'photo!': file },
    { message_id: 8, photo: [{ file_id: 'p' }] },
  ],
  sendDocument: [
    { ...common, ...caption, 'document!': file, thumb: text },
    { message_id: 8, document: { file_id: 'd' } },
  ],
  sendAudio: [
    { ...common, ...caption, 'audio!': file, duration: count, performer: text, title: text, thumb: text },
    { message_id: 8 },
  ],
  sendVideo: [{ ...common, ...caption, ...size, 'video!': file }, { message_id: 8 }],
  sendAnimation: [{ ...common, ...caption, ...size, 'animation!': file }, { message_id: 8 }],
  sendSticker: [{ ...common, 'sticker!': file }, { message_id: 8 }],
  sendLocation: [
    { ...common, 'latitude!': { type: 'number' }, 'longitude!': { type: 'number' } },
    { message_id: 9, location: {} },
  ],
  sendMediaGroup: [
    {
      ...common,
      'media!': {
        type: 'array',
        items: fields({ 'type!': { enum: ['photo', 'video'] }, 'media!': text, caption: text, parse_mode: mode }),
      },
    },
    [{ message_id: 10 }, { message_id: 11 }],
  ],
  sendChatAction: [{ 'chat_id!': chat, 'action!': text, message_thread_id: count }, true],
  getChat: [{ 'chat_id!': chat }, { id: 5, type: 'private' }],
  getChatAdministrators: [{ 'chat_id!': chat }, [{ status: 'creator' }, { status: 'administrator' }]],
  getChatMember: [{ 'chat_id!': chat, 'user_id!': count }, { status: 'member' }],
  leaveChat: [{ 'chat_id!': chat }, true],
  setChatDescription: [{ 'chat_id!': chat, description: { type: 'string', maxLength: 255 } }, true],
  setChatTitle: [{ 'chat_id!': chat, 'title!': { type: 'string', minLength: 1, maxLength: 128 } }, true],
  answerCallbackQuery: [
    { 'callback_query_id!': text, text: { type: 'string' }, show_alert: flag, url: text, cache_time: count },
    true,
  ],
  answerInlineQuery: [
    { 'inline_query_id!': text, 'results!': { type: 'array' }, cache_time: count, is_personal: flag, next_offset: text },
    true,
  ],
  getFile: [{ 'file_id!': text }, { file_id: 'f', file_path: 'photos/file 1.png' }],
  setWebhook: [
    {
      'url!': { type: 'string', pattern: '^https://' },
      secret_token: { type: 'string', pattern: '^[\\w-]{1,256}$' },
      allowed_updates: { type: 'array' },
    },
    true,
  ],
  deleteWebhook: [{ drop_pending_updates: flag }, true],
  getWebhookInfo: [{}, { url: '' }],
};

/** The token of the server's bot. */
export const token = '123:abc';

/** The Bot API: methods by POST, with the token in the path. */
export function telegramServer(): Promise<ApiServer> {
  const routes = Object.entries(methods).map(([name, [parameters, result]]): [string, ApiRoute] => [
    `POST /bot${token}/${name}`,
    { body: fields(parameters as Parameters<typeof fields>[0]), answer: () => ({ json: { ok: true, result } }) },
  ]);
  const bytes: ApiRoute = { answer: () => ({ text: 'PNG', headers: { 'content-type': 'application/octet-stream' } }) };
  return apiServer({
    baseUrl: 'https://api.telegram.org',
    routes: { ...Object.fromEntries(routes), [`GET /file/bot${token}/photos/:name`]: bytes },
  });
}
