import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, list, names, namesParameter, number, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.brevo.com/reference */
const client = new ApiClient({
  service: 'Brevo',
  credentialType: 'sendInBlueApi',
  baseUrl: 'https://api.brevo.com/v3',
  refusalOf({ body }) {
    const { code, message } = objectOf(body);
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { text: message }),
    };
  },
});

const recipients = names('receipients', 'Recipients', 'Email addresses, separated by commas', { required: true });
const tags = names('tags', 'Tags', 'Tags of the email in the statistics; commas separate several');
const copies = [
  names('receipientsCC', 'CC', 'Email addresses that get a copy'),
  names('receipientsBCC', 'BCC', 'Email addresses that get a hidden copy'),
];

const email: Resource = {
  displayName: 'Email',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends an email',
      properties: [
        text('sender', 'Sender', 'Email address of a verified sender; a name may precede it: `Ada <ada@example.com>`', {
          required: true,
        }),
        recipients,
        text('subject', 'Subject', 'Subject of the email', { required: true }),
        text('textContent', 'Text Content', 'The email as text', { typeOptions: { rows: 5 } }),
        text('htmlContent', 'HTML Content', 'The email as HTML', { typeOptions: { rows: 5 } }),
        collection('additionalFields', 'Additional Fields', [...copies, tags]),
      ],
      run: (item) => send(item, contentOf(item)),
    },
    sendTemplate: {
      displayName: 'Send Template',
      description: 'Sends an email from a template',
      properties: [
        number('templateId', 'Template ID', 0, 'ID of the template', { required: true }),
        recipients,
        collection('additionalFields', 'Additional Fields', [
          ...copies,
          tags,
          list('templateParameters', 'Parameters', 'parameters', [
            text('name', 'Name', 'Name of the parameter in the template'),
            text('value', 'Value', 'Value of the parameter', { acceptsAnyValue: true }),
          ]),
        ]),
      ],
      run: (item) => send(item, templateOf(item)),
    },
  },
};

const people = (emails: readonly string[]): JsonObject[] => emails.map((one) => ({ email: one }));

function send(item: ServiceItem, content: JsonObject): Promise<JsonValue | undefined> {
  const addresses = (path: string) => people(namesParameter(item.context, path, item.index));
  const to = addresses('receipients');
  if (to.length === 0) throw item.error('the parameter "receipients" is required', 'Set it to an email address');
  const optional = {
    cc: addresses('additionalFields.receipientsCC'),
    bcc: addresses('additionalFields.receipientsBCC'),
    tags: namesParameter(item.context, 'additionalFields.tags', item.index),
  };
  const optionalFields = Object.fromEntries(Object.entries(optional).filter(([, members]) => members.length > 0));
  return item.send({ path: '/smtp/email', json: { to, ...content, ...optionalFields } });
}

function contentOf(item: ServiceItem): JsonObject {
  const [textContent, htmlContent] = [item.text('textContent'), item.text('htmlContent')];
  if (textContent === '' && htmlContent === '')
    throw item.error('the email has no content', 'Set "Text Content" or "HTML Content"');
  return {
    sender: senderOf(item.required('sender').trim().slice(0, 1_000)),
    subject: item.required('subject'),
    ...(textContent !== '' && { textContent }),
    ...(htmlContent !== '' && { htmlContent }),
  };
}

/** `Ada <ada@example.com>`, or only the address. */
function senderOf(sender: string): JsonObject {
  const start = sender.endsWith('>') ? sender.lastIndexOf('<') : -1;
  if (start < 0) return { email: sender };
  const name = sender.slice(0, start).trim();
  return { ...(name !== '' && { name }), email: sender.slice(start + 1, -1).trim() };
}

function templateOf(item: ServiceItem): JsonObject {
  const templateId = item.number('templateId', 0);
  if (templateId === 0) throw item.error('the parameter "templateId" is required', 'Set it to the ID of a template');
  const entries = item.entries('additionalFields.templateParameters.parameters');
  const params = Object.fromEntries(entries.map(({ name = '', value = '' }) => [asText(name), value]));
  return { templateId, ...(entries.length > 0 && { params }) };
}

const identifier = text('identifier', 'Identifier', 'Email address, phone number, or ID of the contact', { required: true });
const attributes: NodeProperty = list('contactAttributes', 'Attributes', 'attributesValues', [
  text('fieldName', 'Name', 'Name of the attribute, such as `FIRSTNAME`'),
  text('fieldValue', 'Value', 'Value of the attribute', { acceptsAnyValue: true }),
]);
const address = text('email', 'Email', 'Email address of the contact', { required: true });

const contactPath = (item: ServiceItem) => `/contacts/${encodeURIComponent(item.required('identifier').trim())}`;

function attributesOf(item: ServiceItem): JsonObject {
  const entries = item.entries('contactAttributes.attributesValues');
  return Object.fromEntries(entries.map(({ fieldName = '', fieldValue = '' }) => [asText(fieldName), fieldValue]));
}

function create(item: ServiceItem, updateEnabled: boolean): Promise<JsonValue | undefined> {
  const json = { email: item.required('email'), attributes: attributesOf(item), updateEnabled };
  return item.send({ path: '/contacts', json }).then((created) => created ?? { success: true });
}

const pageSize = 1_000;
const contactPages: Paging = {
  list: 'contacts',
  next({ body }, count) {
    const { contacts, count: total = 0 } = objectOf(body);
    return objectsOf(contacts).length > 0 && count < Number(total) ? { query: { offset: count } } : undefined;
  },
};

const contact: Resource = {
  displayName: 'Contact',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a contact',
      properties: [address, attributes],
      run: (item) => create(item, false),
    },
    upsert: {
      displayName: 'Create or Update',
      description: 'Creates a contact, or updates the contact with the email address',
      properties: [address, attributes],
      run: (item) => create(item, true),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a contact',
      properties: [identifier],
      run: (item) => item.perform({ method: 'DELETE', path: contactPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a contact',
      properties: [identifier],
      run: (item) => item.send({ path: contactPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the contacts',
      properties: listPropertiesOf(),
      run: (item) => item.list({ path: '/contacts', query: { limit: Math.min(item.limit(), pageSize) } }, contactPages),
    },
    update: {
      displayName: 'Update',
      description: 'Changes the attributes of a contact',
      properties: [identifier, attributes],
      run: (item) => item.perform({ method: 'PUT', path: contactPath(item), json: { attributes: attributesOf(item) } }),
    },
  },
};

/** Sends emails and keeps contacts with Brevo, formerly Sendinblue. */
export const sendInBlue = defineService({
  displayName: 'Brevo',
  name: 'send-in-blue',
  version: 1,
  description: 'Sends emails and manages contacts with Brevo, formerly Sendinblue',
  credentials: [{ name: 'sendInBlueApi', required: true }],
  icon: 'fa:envelope',
  iconColor: 'green',
  client,
  resources: { contact, email },
  initial: 'email',
});
