import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { list, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Produced, type Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://apitemplate.io/apiv2/ */
const client = new ApiClient({
  service: 'APITemplate.io',
  credentialType: 'apiTemplateIoApi',
  baseUrl: 'https://rest.apitemplate.io/v2',
});

/** Files are public at an address of their storage, which must not receive the key. */
const storage = new ApiClient({ service: 'APITemplate.io', credentialType: () => undefined, baseUrl: '' });

const asJson = toggle('jsonParameters', 'JSON Parameters', 'Whether the values are JSON instead of a list');
const download = [
  toggle('download', 'Download', 'Whether to download the file into the item'),
  text('binaryProperty', 'Put Output File in Field', 'Property of the item that gets the file', {
    default: 'data',
    ...where({ download: [true] }),
  }),
];
const entry = [text('key', 'Key', 'Name of the value'), text('value', 'Value', 'The value', { acceptsAnyValue: true })];

const image: Resource = {
  displayName: 'Image',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an image from a template',
      properties: [
        text('imageTemplateId', 'Template ID', 'ID of the template', { required: true }),
        asJson,
        ...download,
        text('overridesJson', 'Overrides (JSON)', 'A list of objects: the layers by `name`, and their new values', {
          type: 'json',
          ...where({ jsonParameters: [true] }),
        }),
        list(
          'overridesUi',
          'Overrides',
          'overrideValues',
          [list('propertiesUi', 'Properties', 'propertyValues', entry)],
          where({ jsonParameters: [false] }),
        ),
      ],
      run: (item) => create(item, 'image', overridesOf(item)),
    },
  },
};

const pdf: Resource = {
  displayName: 'PDF',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a PDF from a template',
      properties: [
        text('pdfTemplateId', 'Template ID', 'ID of the template', { required: true }),
        asJson,
        ...download,
        text('propertiesJson', 'Properties (JSON)', 'An object with the values of the template', {
          type: 'json',
          ...where({ jsonParameters: [true] }),
        }),
        list('propertiesUi', 'Properties', 'propertyValues', entry, where({ jsonParameters: [false] })),
      ],
      run: (item) => create(item, 'pdf', propertiesOf(item)),
    },
  },
};

/** The service renders the file before it responds. */
const timeoutMs = 2 * 60_000;

async function create(item: ServiceItem, kind: 'image' | 'pdf', json: JsonValue): Promise<Produced> {
  const query = { template_id: item.required(`${kind}TemplateId`) };
  const created = objectOf(await item.send({ path: `/create-${kind}`, query, json, timeoutMs }));
  if (!item.toggle('download')) return created;
  const { download_url: url } = created;
  if (typeof url !== 'string') throw item.error('the response has no address of the file', 'Check the template');
  const file = await storage.download(item.access, { path: url }, item.context.binary);
  return new FileItem(created, { [item.text('binaryProperty', 'data')]: file });
}

function overridesOf(item: ServiceItem): JsonValue {
  if (!item.toggle('jsonParameters'))
    return { overrides: item.entries('overridesUi.overrideValues').map((one) => pairsIn(objectOf(one['propertiesUi']))) };
  const written = item.json('overridesJson') ?? [];
  return Array.isArray(written) ? { overrides: written } : written;
}

function propertiesOf(item: ServiceItem): JsonValue {
  if (!item.toggle('jsonParameters')) return pairsIn({ propertyValues: item.entries('propertiesUi.propertyValues') });
  return item.json('propertiesJson') ?? {};
}

function pairsIn({ propertyValues = [] }: JsonObject): JsonObject {
  const entries = [propertyValues].flat().map((one) => objectOf(one));
  return Object.fromEntries(entries.map(({ key = '', value = '' }) => [asText(key), value]));
}

/** Creates images and PDFs from templates. */
export const apiTemplateIo = defineService({
  displayName: 'APITemplate.io',
  name: 'api-template-io',
  version: 1,
  description: 'Creates images and PDFs from templates with APITemplate.io',
  credentials: [{ name: 'apiTemplateIoApi', required: true }],
  icon: 'fa:file-pdf',
  iconColor: 'blue',
  client,
  resources: {
    account: {
      displayName: 'Account',
      operations: {
        get: {
          displayName: 'Get',
          description: 'Gets the account',
          properties: [],
          run: (item) => item.send({ path: '/account-information' }),
        },
      },
    },
    image,
    pdf,
  },
  initial: 'image',
});
