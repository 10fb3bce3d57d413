import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, list, number, text, where } from '@sluice/nodes-base/node-tools';
import { type Operation, type Resource, sendAndWait } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { replyMarkup, replyMarkupProperties } from './reply-markup.ts';
import { call } from './telegram-client.ts';
import { additionalFields, chatId, fileProperties, messageId } from './telegram-properties.ts';

const place = ['disable_notification', 'message_thread_id', 'parse_mode', 'reply_to_message_id'] as const;

/** Sends a file by its own method: uploaded as a form, or referenced in JSON. */
const fileOperation = (kind: string, displayName: string, fields: Parameters<typeof additionalFields>): Operation => ({
  displayName: `Send ${displayName}`,
  description: `Sends the file as ${displayName.toLowerCase()}`,
  properties: [...fileProperties(displayName), ...replyMarkupProperties(), additionalFields(...fields)],
  run: (item) => sendFile(item, `send${displayName}`, kind),
});

/** The first two are Bot API values. */
const actions = choices(
  ['find_location', 'Find Location'],
  ['record_audio', 'Record Audio'],
  ['record_video', 'Record Video'],
  ['record_video_note', 'Record Video Note'],
  ['typing', 'Typing'],
  ['upload_audio', 'Upload Audio'],
  ['upload_document', 'Upload Document'],
  ['upload_photo', 'Upload Photo'],
  ['upload_video', 'Upload Video'],
  ['upload_video_note', 'Upload Video Note'],
);

/** https://core.telegram.org/bots/api#available-methods */
export const message: Resource = {
  displayName: 'Message',
  initial: 'sendMessage',
  operations: {
    sendMessage: {
      displayName: 'Send Message',
      description: 'Sends a text message',
      properties: [
        chatId,
        text('text', 'Text', 'Text of the message', { required: true }),
        ...replyMarkupProperties(),
        additionalFields('appendAttribution', 'disable_web_page_preview', ...place),
      ],
      run: (item) =>
        call(item, 'sendMessage', {
          ...target(item),
          text: messageText(item),
          ...replyMarkup(item),
          ...sendDefaults,
          ...textOptions(item),
        }),
    },
    editMessageText: {
      displayName: 'Edit Message Text',
      description: 'Replaces the text of a message',
      properties: [
        choice('messageType', 'Message Type', choices(['message', 'Message'], ['inlineMessage', 'Inline Message'])),
        { ...chatId, ...where({ messageType: ['message'] }) },
        { ...messageId, ...where({ messageType: ['message'] }) },
        text('inlineMessageId', 'Inline Message ID', 'Identifier of the inline message', {
          required: true,
          ...where({ messageType: ['inlineMessage'] }),
        }),
        ...replyMarkupProperties(['none', 'inlineKeyboard']),
        text('text', 'Text', 'New text', { required: true }),
        additionalFields('appendAttribution', 'disable_web_page_preview', 'parse_mode'),
      ],
      run: (item) =>
        call(item, 'editMessageText', { ...edited(item), text: messageText(item), ...replyMarkup(item), ...textOptions(item) }),
    },
    deleteMessage: {
      displayName: 'Delete Chat Message',
      description: 'Deletes a message',
      properties: [chatId, messageId],
      run: (item) => call(item, 'deleteMessage', { ...target(item), message_id: item.required('messageId') }),
    },
    pinChatMessage: {
      displayName: 'Pin Chat Message',
      description: 'Pins a message in its chat',
      properties: [chatId, messageId, additionalFields('disable_notification')],
      run: (item) =>
        call(item, 'pinChatMessage', {
          ...target(item),
          message_id: item.required('messageId'),
          ...item.fields('additionalFields'),
        }),
    },
    unpinChatMessage: {
      displayName: 'Unpin Chat Message',
      description: 'Unpins a message in its chat',
      properties: [chatId, messageId],
      run: (item) => call(item, 'unpinChatMessage', { ...target(item), message_id: item.required('messageId') }),
    },
    sendAnimation: fileOperation('animation', 'Animation', [
      'caption',
      'duration',
      'fileName',
      'height',
      ...place,
      'thumb',
      'width',
    ]),
    sendAudio: fileOperation('audio', 'Audio', ['caption', 'duration', 'fileName', ...place, 'performer', 'thumb', 'title']),
    sendDocument: fileOperation('document', 'Document', ['caption', 'fileName', ...place, 'thumb']),
    sendPhoto: fileOperation('photo', 'Photo', ['caption', 'fileName', ...place]),
    sendSticker: fileOperation('sticker', 'Sticker', [
      'fileName',
      'disable_notification',
      'message_thread_id',
      'reply_to_message_id',
    ]),
    sendVideo: fileOperation('video', 'Video', ['caption', 'duration', 'fileName', 'height', ...place, 'thumb', 'width']),
    sendAndWait: sendAndWait([chatId], (item, { message: words, links, attribution: ending }) =>
      call(item, 'sendMessage', {
        ...target(item),
        text: [words, ...(ending === undefined ? [] : [ending])].join('\n\n'),
        ...sendDefaults,
        reply_markup: { inline_keyboard: [links.map(({ label, url }) => ({ text: label, url }))] },
      }),
    ),
    sendChatAction: {
      displayName: 'Send Chat Action',
      description: 'Shows for 5 seconds what the bot does',
      properties: [chatId, choice('action', 'Action', actions, { default: 'typing' })],
      run: (item) => call(item, 'sendChatAction', { ...target(item), action: item.text('action', 'typing') }),
    },
    sendLocation: {
      displayName: 'Send Location',
      description: 'Sends a place on the map',
      properties: [
        chatId,
        number('latitude', 'Latitude', 0, 'In degrees', { typeOptions: { minValue: -90, maxValue: 90 } }),
        number('longitude', 'Longitude', 0, 'In degrees', { typeOptions: { minValue: -180, maxValue: 180 } }),
        ...replyMarkupProperties(),
        additionalFields('disable_notification', 'message_thread_id', 'reply_to_message_id'),
      ],
      run: (item) =>
        call(item, 'sendLocation', {
          ...target(item),
          latitude: item.number('latitude', 0),
          longitude: item.number('longitude', 0),
          ...replyMarkup(item),
          ...item.fields('additionalFields'),
        }),
    },
    sendMediaGroup: {
      displayName: 'Send Media Group',
      description: 'Sends 2 to 10 photos or videos as an album',
      properties: [
        chatId,
        list('media', 'Media', 'media', [
          choice('type', 'Type', choices(['photo', 'Photo'], ['video', 'Video'])),
          text('media', 'Media File', 'Identifier of a file at Telegram, or a URL from which Telegram gets it'),
          collection('additionalFields', 'Additional Fields', [
            text('caption', 'Caption', 'Text under the file, at most 1,024 characters'),
            choice(
              'parse_mode',
              'Parse Mode',
              choices(['Markdown', 'Markdown (Legacy)'], ['MarkdownV2', 'MarkdownV2'], ['HTML', 'HTML']),
              { default: 'HTML' },
            ),
          ]),
        ]),
        additionalFields('disable_notification', 'message_thread_id', 'reply_to_message_id'),
      ],
      run: (item) =>
        call(item, 'sendMediaGroup', {
          ...target(item),
          media: item.entries('media.media').map(medium),
          ...item.fields('additionalFields'),
        }),
    },
  },
};

const target = (item: ServiceItem) => ({ chat_id: item.required('chatId') });

function edited(item: ServiceItem): JsonObject {
  if (item.text('messageType', 'message') === 'inlineMessage') return { inline_message_id: item.required('inlineMessageId') };
  return { ...target(item), message_id: item.required('messageId') };
}

/** As in the n8n format. */
const sendDefaults = { parse_mode: 'Markdown', disable_web_page_preview: true };
const attribution = 'This message was sent automatically with Sluice';

function messageText(item: ServiceItem): string {
  const written = item.required('text');
  return item.toggle('additionalFields.appendAttribution') ? `${written}\n\n${attribution}` : written;
}

function textOptions(item: ServiceItem): JsonObject {
  const { appendAttribution: _, ...options } = item.fields('additionalFields');
  return options;
}

function medium({ type = 'photo', media = '', additionalFields: fields }: JsonObject): JsonObject {
  return { type, media, ...(fields as JsonObject | undefined) };
}

async function sendFile(item: ServiceItem, name: string, kind: string): Promise<JsonValue | undefined> {
  const { fileName, ...options } = item.fields('additionalFields');
  const parameters = { ...target(item), ...replyMarkup(item), ...options };
  if (!item.toggle('binaryData')) return call(item, name, { ...parameters, [kind]: item.required('file') });
  const file = item.file(item.text('binaryPropertyName', 'data'));
  const fields = Object.entries(parameters).map(([field, value]) => ({
    name: field,
    value: asText(value),
  }));
  const named = typeof fileName === 'string' ? { ...file, fileName } : file;
  return item.send({ path: `/${name}`, parts: { from: item.context.binary, list: [...fields, { name: kind, file: named }] } });
}
