import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, number, questionText, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { type Resource, sendAndWait } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { sendTemplate } from './template.ts';
import { phoneNumberId, recipient, sendMessage, upload } from './whats-app-client.ts';

const media = ['audio', 'document', 'image', 'video'];
const types = choices(
  ['audio', 'Audio'],
  ['contacts', 'Contacts'],
  ['document', 'Document'],
  ['image', 'Image'],
  ['location', 'Location'],
  ['text', 'Text'],
  ['video', 'Video'],
);
const sources = choices(
  ['useMediaLink', 'Link', 'WhatsApp gets the file from an address'],
  ['useMediaId', 'WhatsApp Media', 'The file was uploaded'],
  ['useMedian8n', 'Binary File', 'A file of the item is uploaded'],
);

const additional = (members: readonly NodeProperty[], ...messageTypes: string[]) =>
  collection('additionalFields', 'Additional Fields', members, where({ messageType: messageTypes }));
const caption = text('mediaCaption', 'Caption', 'Text under the file');
const entries = (name: string, displayName: string, group: string, names: readonly string[]) =>
  list(
    name,
    displayName,
    group,
    names.map((field) => text(field, field, `Field \`${field}\` of the contact`)),
  );

const contactProperties = [
  collection(
    'name',
    'Name',
    ['formatted_name', 'first_name', 'last_name', 'middle_name', 'suffix', 'prefix'].map((field) =>
      text(field, field, `Part of the name: \`${field}\``),
    ),
    where({ messageType: ['contacts'] }),
  ),
  additional(
    [
      entries('addresses', 'Addresses', 'address', ['type', 'country_code', 'country', 'state', 'city', 'street', 'zip']),
      text('birthday', 'Birthday', 'Date as YYYY-MM-DD'),
      entries('emails', 'Emails', 'email', ['type', 'email']),
      entries('organization', 'Organization', 'organization', ['company', 'department', 'title']),
      entries('phones', 'Phones', 'phone', ['type', 'phone', 'wa_id']),
      entries('urls', 'URLs', 'url', ['type', 'url']),
    ],
    'contacts',
  ),
];

/** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages */
export const message: Resource = {
  displayName: 'Message',
  initial: 'sendTemplate',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends a message; more than 24 hours after the last user message, WhatsApp allows only templates',
      properties: [
        phoneNumberId,
        recipient,
        choice('messageType', 'Message Type', types, { default: 'text' }),
        text('textBody', 'Text Body', 'Text of the message, at most 4,096 characters', {
          required: true,
          ...where({ messageType: ['text'] }),
        }),
        choice('mediaPath', 'Media Source', sources, where({ messageType: media })),
        text('mediaLink', 'Link', 'Address of the file', {
          required: true,
          ...where({ messageType: media, mediaPath: ['useMediaLink'] }),
        }),
        text('mediaId', 'Media ID', 'ID of the uploaded file', {
          required: true,
          ...where({ messageType: media, mediaPath: ['useMediaId'] }),
        }),
        text('mediaPropertyName', 'Input Data Field Name', 'Property of the item that has the file', {
          default: 'data',
          required: true,
          ...where({ messageType: media, mediaPath: ['useMedian8n'] }),
        }),
        number('longitude', 'Longitude', 0, 'In degrees', where({ messageType: ['location'] })),
        number('latitude', 'Latitude', 0, 'In degrees', where({ messageType: ['location'] })),
        additional([toggle('previewUrl', 'Show URL Previews', 'Whether the first address has a preview')], 'text'),
        additional([caption], 'image', 'video'),
        additional([caption, text('mediaFilename', 'Filename', 'Name of the file that the user sees')], 'document'),
        additional(
          [text('nameAddress', 'Name', 'Name of the place'), text('address', 'Address', 'Address of the place')],
          'location',
        ),
        ...contactProperties,
      ],
      run: send,
    },
    sendAndWait: sendAndWait([phoneNumberId, recipient], (item, question) =>
      sendMessage(item, 'text', { body: questionText(question), preview_url: false }),
    ),
    sendTemplate,
  },
};

async function send(item: ServiceItem): Promise<JsonValue | undefined> {
  const type = item.text('messageType', 'text');
  switch (type) {
    case 'audio':
    case 'document':
    case 'image':
    case 'video':
      return sendMessage(item, type, await mediaOf(item, type));
    case 'location':
      return sendMessage(item, type, locationOf(item));
    case 'contacts':
      return sendMessage(item, type, [contactOf(item)]);
    case 'text': {
      const preview = item.toggle('additionalFields.previewUrl');
      return sendMessage(item, type, { body: item.required('textBody'), preview_url: preview });
    }
    default:
      throw item.error('the parameter "messageType" is not a message type', 'Choose one from the list');
  }
}

async function mediaOf(item: ServiceItem, type: string): Promise<JsonObject> {
  const { mediaCaption: words, mediaFilename: name } = item.fields('additionalFields');
  const stored = item.text('mediaPath', 'useMediaLink') === 'useMedian8n' ? item.file(propertyOf(item)) : undefined;
  const filename = name ?? stored?.fileName;
  return {
    ...(await sourceOf(item)),
    ...(words !== undefined && type !== 'audio' && { caption: words }),
    ...(type === 'document' && filename !== undefined && { filename }),
  };
}

const propertyOf = (item: ServiceItem) => item.text('mediaPropertyName', 'data');

async function sourceOf(item: ServiceItem): Promise<JsonObject> {
  switch (item.text('mediaPath', 'useMediaLink')) {
    case 'useMediaId':
      return { id: item.required('mediaId') };
    case 'useMedian8n': {
      const { id = '' } = await upload(item, propertyOf(item));
      return { id };
    }
    default:
      return { link: item.required('mediaLink') };
  }
}

function locationOf(item: ServiceItem): JsonObject {
  const { nameAddress, name = nameAddress, address } = item.fields('additionalFields');
  return {
    longitude: item.number('longitude', 0),
    latitude: item.number('latitude', 0),
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address }),
  };
}

function contactOf(item: ServiceItem): JsonObject {
  const { data: grouped, ...plain } = item.fields('name');
  const name = isJsonObject(grouped) ? grouped : plain;
  if (name['formatted_name'] === undefined)
    throw item.error('the parameter "name.formatted_name" is required', 'Write the whole name of the contact');
  const { addresses, birthday, emails, organization, phones, urls } = item.fields('additionalFields');
  const [org] = inGroup(organization, 'organization');
  return {
    name,
    ...(birthday !== undefined && { birthday }),
    ...(addresses !== undefined && { addresses: inGroup(addresses, 'address') }),
    ...(emails !== undefined && { emails: inGroup(emails, 'email') }),
    ...(org && { org }),
    ...(phones !== undefined && { phones: inGroup(phones, 'phone') }),
    ...(urls !== undefined && { urls: inGroup(urls, 'url') }),
  };
}

function inGroup(value: JsonValue | undefined, name: string): JsonObject[] {
  return objectsOf(objectOf(value)[name]).map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([, member]) => member !== '')),
  );
}
