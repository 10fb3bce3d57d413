import type { BinaryReference, JsonObject, JsonValue } from '@sluice/node-sdk';
import { collection, list, names, namesParameter, number, text, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://dev.mailjet.com: Send API v3.1, and SMS API v4 with a token of its own. */
const client = new ApiClient({
  service: 'Mailjet',
  credentialType: ({ parameter }) => (parameter<string>('resource', 'email') === 'sms' ? 'mailjetSmsApi' : 'mailjetEmailApi'),
  baseUrl: 'https://api.mailjet.com',
  refusalOf({ body }) {
    const { ErrorMessage: general } = objectOf(body);
    const [error] = objectsOf(objectsOf(objectOf(body)['Messages'])[0]?.['Errors']);
    const message = error?.['ErrorMessage'] ?? general;
    const code = error?.['ErrorCode'];
    return { ...(typeof message === 'string' && { text: message }), ...(typeof code === 'string' && { code }) };
  },
});

const addresses = [
  text('fromEmail', 'From Email', 'Address of a verified sender', { required: true }),
  names('toEmail', 'To Email', 'Addresses of the recipients, separated by commas', { required: true }),
];
const subject = text('subject', 'Subject', 'Subject of the email');
const more = [
  names('bccEmail', 'BCC Email', 'Addresses that get a hidden copy'),
  names('ccAddresses', 'CC Email', 'Addresses that get a copy'),
  text('fromName', 'From Name', 'Name of the sender'),
  names('attachments', 'Attachments', 'Properties of the item that have files, separated by commas'),
  text('customId', 'Custom ID', 'ID in the statistics and events of the email'),
  text('replyTo', 'Reply To', 'Address for replies'),
];
const variables = list('variablesUi', 'Variables', 'variablesValues', [
  text('name', 'Name', 'Name of the variable'),
  text('value', 'Value', 'Value of the variable', { acceptsAnyValue: true }),
]);

const people = (item: ServiceItem, path: string): JsonObject[] =>
  namesParameter(item.context, path, item.index).map((Email) => ({ Email }));

async function send(item: ServiceItem, content: JsonObject): Promise<JsonObject[]> {
  const field = (name: string) => `additionalFields.${name}`;
  const To = people(item, 'toEmail');
  if (To.length === 0) throw item.error('the parameter "toEmail" is required', 'Set it to an email address');
  const name = item.text(field('fromName'));
  const replyTo = item.text(field('replyTo')).trim();
  const customId = item.text(field('customId'));
  const [Cc, Bcc] = [people(item, field('ccAddresses')), people(item, field('bccEmail'))];
  const files = namesParameter(item.context, field('attachments'), item.index).map((property) => item.file(property));
  const message = {
    From: { Email: item.required('fromEmail').trim(), ...(name !== '' && { Name: name }) },
    To,
    ...(Cc.length > 0 && { Cc }),
    ...(Bcc.length > 0 && { Bcc }),
    ...(replyTo !== '' && { ReplyTo: { Email: replyTo } }),
    ...(customId !== '' && { CustomID: customId }),
    ...content,
    ...(files.length > 0 && { Attachments: await attached(item, files) }),
  };
  const answer = await item.send({ path: '/v3.1/send', json: { Messages: [message] } });
  return objectsOf(objectOf(answer)['Messages']);
}

/** Mailjet accepts 15 MB per email, including its files as Base64. */
const maxFileBytes = 11 * 1024 * 1024;

async function attached(item: ServiceItem, files: readonly BinaryReference[]): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  let total = 0;
  for (const file of files) {
    const bytes = await item.context.binary.read(file, maxFileBytes);
    total += bytes.length;
    if (total > maxFileBytes)
      throw item.error('the attachments exceed 11 MiB', 'Send fewer files, or put a link into the email');
    const Base64Content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    entries.push({ ContentType: file.mimeType, Filename: file.fileName ?? 'file', Base64Content });
  }
  return entries;
}

function written(item: ServiceItem): JsonObject {
  const [plain, html] = [item.text('text'), item.text('html')];
  if (plain === '' && html === '') throw item.error('the email has no content', 'Set "Text" or "HTML"');
  return {
    Subject: item.text('subject'),
    ...(plain !== '' && { TextPart: plain }),
    ...(html !== '' && { HTMLPart: html }),
  };
}

function fromTemplate(item: ServiceItem): JsonObject {
  const template = item.number('templateId', 0);
  if (template === 0) throw item.error('the parameter "templateId" is required', 'Set it to the ID of a template');
  const values = item.entries('variablesUi.variablesValues').map(({ name = '', value = '' }) => [asText(name), value]);
  const title = item.text('subject');
  return {
    TemplateID: template,
    TemplateLanguage: true,
    ...(title !== '' && { Subject: title }),
    Variables: Object.fromEntries(values) as JsonObject,
  };
}

const body = (name: string, displayName: string, description: string) =>
  text(name, displayName, description, { typeOptions: { rows: 5 } });

const email: Resource = {
  displayName: 'Email',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends an email',
      properties: [
        ...addresses,
        subject,
        body('text', 'Text', 'The email as text'),
        body('html', 'HTML', 'The email as HTML'),
        collection('additionalFields', 'Additional Fields', more),
      ],
      run: (item) => send(item, written(item)),
    },
    sendTemplate: {
      displayName: 'Send Template',
      description: 'Sends an email from a template',
      properties: [
        ...addresses,
        number('templateId', 'Template ID', 0, 'ID of the template', { required: true }),
        subject,
        variables,
        collection('additionalFields', 'Additional Fields', more),
      ],
      run: (item) => send(item, fromTemplate(item)),
    },
  },
};

const sendSms: Operation = {
  displayName: 'Send',
  description: 'Sends a text message',
  properties: [
    text('from', 'From', 'Name of the sender: 3 to 11 letters and digits', { required: true }),
    text('to', 'To', 'Phone number of the recipient, such as `+33612345678`', { required: true }),
    body('text', 'Text', 'Text of the message'),
  ],
  run: (item): Promise<JsonValue | undefined> =>
    item.send({
      path: '/v4/sms-send',
      json: { From: item.required('from'), To: item.required('to').trim(), Text: item.required('text') },
    }),
};

/** Sends email and text messages. */
export const mailjet = defineService({
  displayName: 'Mailjet',
  name: 'mailjet',
  version: 1,
  description: 'Sends email and text messages with Mailjet',
  credentials: [
    { name: 'mailjetEmailApi', required: true, ...where({ resource: ['email'] }) },
    { name: 'mailjetSmsApi', required: true, ...where({ resource: ['sms'] }) },
  ],
  icon: 'fa:envelope',
  group: ['output'],
  client,
  resources: { email, sms: { displayName: 'SMS', operations: { send: sendSms } } },
});
