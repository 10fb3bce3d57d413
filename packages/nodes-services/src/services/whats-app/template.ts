import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, number, text, where } from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { asText, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { phoneNumberId, recipient, sendMessage } from './whats-app-client.ts';

const values = [
  text('text', 'Text', 'Value of the variable', where({ type: ['text'] })),
  text('code', 'Currency Code', 'Currency (ISO 4217), such as USD', where({ type: ['currency'] })),
  text('fallback_value', 'Fallback Value', 'Text for apps that cannot show the currency', where({ type: ['currency'] })),
  number('amount_1000', 'Amount', 0, 'Amount, multiplied by 1,000', where({ type: ['currency'] })),
  text('date_time', 'Date Time', 'Date and time, as text', where({ type: ['date_time'] })),
];
const kinds = [
  ['text', 'Text'],
  ['currency', 'Currency'],
  ['date_time', 'Date Time'],
] as const;
const parameters = (
  name: string,
  displayName: string,
  component: string,
  more: readonly NodeProperty[],
  extra: readonly [string, string][] = [],
) =>
  list(
    name,
    displayName,
    'parameter',
    [choice('type', 'Type', choices(...kinds.map(([a, b]): [string, string] => [a, b]), ...extra)), ...values, ...more],
    {
      ...where({ type: [component] }),
    },
  );

const components = list('components', 'Components', 'component', [
  choice('type', 'Type', choices(['body', 'Body'], ['button', 'Button'], ['header', 'Header'])),
  parameters('bodyParameters', 'Parameters', 'body', []),
  choice('sub_type', 'Sub Type', choices(['quick_reply', 'Quick Reply'], ['url', 'URL']), where({ type: ['button'] })),
  number('index', 'Index', 0, 'Position of the button', {
    typeOptions: { minValue: 0, maxValue: 9 },
    ...where({ type: ['button'] }),
  }),
  list(
    'buttonParameters',
    'Parameters',
    'parameter',
    [
      choice('type', 'Type', choices(['payload', 'Payload'], ['text', 'Text'])),
      text('payload', 'Payload', 'Data that the button sends', where({ type: ['payload'] })),
      text('text', 'Text', 'End of the address of the button', where({ type: ['text'] })),
    ],
    where({ type: ['button'] }),
  ),
  parameters(
    'headerParameters',
    'Parameters',
    'header',
    [text('imageLink', 'Image Link', 'Address of an image', where({ type: ['image'] }))],
    [['image', 'Image']],
  ),
]);

/** https://developers.facebook.com/docs/whatsapp/cloud-api/guides/send-message-templates */
export const sendTemplate: Operation = {
  displayName: 'Send Template',
  description: 'Sends a message template with its values',
  properties: [
    phoneNumberId,
    recipient,
    text('template', 'Template', 'Name and language of the template: `hello_world|en_US`', {
      required: true,
      typeOptions: { loadOptionsMethod: 'getTemplates' },
    }),
    components,
  ],
  run: (item) => {
    const [name = '', code = 'en_US'] = item.required('template').slice(0, 1_000).split('|');
    const parts = item.entries('components.component').map((component) => componentOf(item, component));
    return sendMessage(item, 'template', { name, language: { code }, ...(parts.length > 0 && { components: parts }) });
  },
};

function componentOf(item: ServiceItem, component: JsonObject): JsonObject {
  const { type = 'body', sub_type = 'quick_reply', index = 0 } = component;
  const group = component[`${type}Parameters`];
  const list = objectsOf(isJsonObject(group) ? group['parameter'] : group);
  const values = list.map((parameter) => (type === 'button' ? buttonValue(parameter) : valueFor(item, parameter)));
  return { type, ...(type === 'button' && { sub_type, index: asText(index) }), parameters: values };
}

function buttonValue({ type = 'payload', payload = '', text: words = '' }: JsonObject): JsonObject {
  return type === 'text' ? { type, text: words } : { type, payload };
}

function valueFor(item: ServiceItem, { type = 'text', ...parameter }: JsonObject): JsonObject {
  const { text: words, code, fallback_value, amount_1000 = 0, date_time, imageLink } = parameter;
  const required = (name: string, value: JsonValue | undefined): JsonValue => {
    if (value !== undefined && value !== '' && value !== null) return value;
    throw item.error(`a parameter of the template has no "${name}"`, 'Fill in the value of every variable of the template');
  };
  switch (type) {
    case 'currency':
      return {
        type,
        currency: { code: required('code', code), fallback_value: required('fallback_value', fallback_value), amount_1000 },
      };
    case 'date_time':
      return { type, date_time: { fallback_value: required('date_time', date_time) } };
    case 'image':
      return { type, image: { link: required('imageLink', imageLink) } };
    default:
      return { type: 'text', text: asText(required('text', words)) };
  }
}
