import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const kinds = choices(
  ['forceReply', 'Force Reply'],
  ['inlineKeyboard', 'Inline Keyboard'],
  ['none', 'None'],
  ['replyKeyboard', 'Reply Keyboard'],
  ['replyKeyboardRemove', 'Reply Keyboard Remove'],
);

const selective = toggle('selective', 'Selective', 'Whether only the users concerned see it');
const webApp = list('web_app', 'Web App', 'app', [text('url', 'URL', 'Address of the web app')], { typeOptions: {} });

const inlineFields = collection('additionalFields', 'Additional Fields', [
  text('callback_data', 'Callback Data', 'Data of the callback query that the button sends, at most 64 bytes'),
  toggle('pay', 'Pay', 'Whether it is a pay button'),
  text('switch_inline_query', 'Switch Inline Query', 'Inline query in a chat that the user chooses'),
  text('switch_inline_query_current_chat', 'Switch Inline Query Current Chat', 'Inline query in this chat'),
  text('url', 'URL', 'Address that the button opens'),
  webApp,
]);

const replyFields = collection('additionalFields', 'Additional Fields', [
  toggle('request_contact', 'Request Contact', 'Whether the button sends the phone number of the user'),
  toggle('request_location', 'Request Location', 'Whether the button sends the location of the user'),
  webApp,
]);

const keyboard = (name: string, displayName: string, fields: NodeProperty): NodeProperty =>
  list(
    name,
    displayName,
    'rows',
    [list('row', 'Row', 'buttons', [text('text', 'Text', 'Label of the button'), fields])],
    where({ replyMarkup: [name] }),
  );

/** The parameter `replyMarkup`, and the parameters of its values. `names`: the allowed values. */
export function replyMarkupProperties(names = kinds.map(({ value }) => value)): NodeProperty[] {
  const allowed = kinds.filter(({ value }) => names.includes(value));
  const all = [
    collection(
      'forceReply',
      'Force Reply',
      [toggle('force_reply', 'Force Reply', 'Whether to open the reply interface'), selective],
      where({ replyMarkup: ['forceReply'] }),
    ),
    keyboard('inlineKeyboard', 'Inline Keyboard', inlineFields),
    keyboard('replyKeyboard', 'Reply Keyboard', replyFields),
    collection(
      'replyKeyboardOptions',
      'Reply Keyboard Options',
      [
        toggle('resize_keyboard', 'Resize Keyboard', 'Whether the keyboard is as small as its buttons allow'),
        toggle('one_time_keyboard', 'One Time Keyboard', 'Whether the keyboard is hidden after use'),
        selective,
      ],
      where({ replyMarkup: ['replyKeyboard'] }),
    ),
    collection(
      'replyKeyboardRemove',
      'Reply Keyboard Remove',
      [toggle('remove_keyboard', 'Remove Keyboard', 'Whether to remove the keyboard'), selective],
      where({ replyMarkup: ['replyKeyboardRemove'] }),
    ),
  ];
  const isAllowed = ({ name }: NodeProperty) =>
    names.some((kind) => name.startsWith(asText(kind)) && (kind !== 'replyKeyboard' || name !== 'replyKeyboardRemove'));
  return [choice('replyMarkup', 'Reply Markup', allowed, { default: 'none' }), ...all.filter(isAllowed)];
}

/** `reply_markup` for the Bot API; empty if it is not set. */
export function replyMarkup(item: ServiceItem): { reply_markup?: JsonObject } {
  switch (item.text('replyMarkup', 'none')) {
    case 'forceReply':
      return { reply_markup: item.fields('forceReply') };
    case 'inlineKeyboard':
      return { reply_markup: { inline_keyboard: rowsOf(item, 'inlineKeyboard') } };
    case 'replyKeyboard':
      return { reply_markup: { keyboard: rowsOf(item, 'replyKeyboard'), ...item.fields('replyKeyboardOptions') } };
    case 'replyKeyboardRemove':
      return { reply_markup: item.fields('replyKeyboardRemove') };
    default:
      return {};
  }
}

function rowsOf(item: ServiceItem, name: string): JsonValue[] {
  return item.entries(`${name}.rows`).map(({ row }) => objectsOf(objectOf(row)['buttons']).map(button));
}

function button({ text: label = '', additionalFields }: JsonObject): JsonObject {
  const { web_app: app, ...fields } = objectOf(additionalFields);
  const [inner] = objectsOf(objectOf(app)['app']);
  const filled = Object.entries(fields).filter(([, value]) => value !== '' && value !== null);
  return { text: label, ...Object.fromEntries(filled), ...(inner && { web_app: inner }) };
}
