import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, number, text, toggle, where } from '@sluice/nodes-base/node-tools';

export const chatId = text('chatId', 'Chat ID', 'Identifier of the chat, or the name of a public channel: `@channel`', {
  required: true,
});

export const messageId = text('messageId', 'Message ID', 'Identifier of the message', { required: true });

/** A file: from the item, or stored at Telegram. `kind` completes its names. */
export const fileProperties = (kind: string): NodeProperty[] => [
  chatId,
  toggle('binaryData', 'Binary File', 'Whether to upload a file of the item'),
  text('binaryPropertyName', 'Input Binary Field', 'Property of the item that has the file', {
    default: 'data',
    required: true,
    ...where({ binaryData: [true] }),
  }),
  text('file', kind, 'Identifier of a file at Telegram, or a URL from which Telegram gets it', where({ binaryData: [false] })),
];

const parseMode = choice(
  'parse_mode',
  'Parse Mode',
  choices(['Markdown', 'Markdown (Legacy)'], ['MarkdownV2', 'MarkdownV2'], ['HTML', 'HTML']),
  {
    default: 'HTML',
    description: 'How formatting is written in the text',
  },
);

/** Optional method parameters, under their Bot API names. */
const optional = {
  appendAttribution: toggle('appendAttribution', 'Append Attribution', 'Whether to add a line that says what sent the message'),
  caption: text('caption', 'Caption', 'Text under the file, at most 1,024 characters'),
  disable_notification: toggle('disable_notification', 'Disable Notification', 'Whether the message arrives without a sound'),
  disable_web_page_preview: toggle(
    'disable_web_page_preview',
    'Disable WebPage Preview',
    'Whether links have no preview; by default, those of new messages have none',
  ),
  duration: number('duration', 'Duration', 0, 'Length in seconds'),
  fileName: text('fileName', 'File Name', 'Name of the uploaded file'),
  height: number('height', 'Height', 0, 'In pixels'),
  message_thread_id: number('message_thread_id', 'Message Thread ID', 0, 'Identifier of the topic of a forum'),
  parse_mode: parseMode,
  performer: text('performer', 'Performer', 'Name of the performer'),
  reply_to_message_id: number('reply_to_message_id', 'Reply To Message ID', 0, 'Identifier of the message to reply to'),
  thumb: text('thumb', 'Thumbnail', 'Identifier or URL of a preview picture'),
  title: text('title', 'Title', 'Title of the audio'),
  width: number('width', 'Width', 0, 'In pixels'),
};

/** The collection `additionalFields` with some of the optional parameters. */
export const additionalFields = (...names: (keyof typeof optional)[]): NodeProperty =>
  collection(
    'additionalFields',
    'Additional Fields',
    names.map((name) => optional[name]),
  );
