import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineService, type Produced, type Resource } from '../../shared/define-service.ts';
import { googleClient } from '../../shared/google-client.ts';
import { resumableUpload } from '../../shared/google-upload.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const origin = 'https://storage.googleapis.com';
/** https://cloud.google.com/storage/docs/json_api/v1 */
const client = googleClient('Google Cloud Storage', `${origin}/storage/v1`, 'googleCloudStorageOAuth2Api');

const bucketName = text('bucketName', 'Bucket Name', 'Name of the bucket', { required: true });
const objectName = text('objectName', 'Object Name', 'Name of the object, with its folders', { required: true });
const projectId = text('projectId', 'Project ID', 'ID of the Google Cloud project', { required: true });

const part = (item: ServiceItem, name: string) => encodeURIComponent(item.required(name));
const bucketPath = (item: ServiceItem, more = '') => `/b/${part(item, 'bucketName')}${more}`;
const objectPath = (item: ServiceItem) => bucketPath(item, `/o/${part(item, 'objectName')}`);

const json = (name: string, displayName: string, description: string): NodeProperty =>
  text(name, displayName, description, { type: 'json' });
const acl = [
  text('predefinedAcl', 'Predefined ACL', 'Such as `private` or `projectPrivate`'),
  text('predefinedDefaultObjectAcl', 'Predefined Default Object ACL', 'ACL of new objects'),
];
const bucketBody = [
  text('location', 'Location', 'Region, such as `EU`; default: `US`'),
  text('storageClass', 'Storage Class', 'Such as `NEARLINE`'),
  json('dataLocations', 'Data Locations', 'Two regions of a dual-region bucket, as a list'),
  json('labels', 'Labels', 'An object'),
  json('lifecycle', 'Lifecycle', 'An object'),
  json('website', 'Website', 'An object'),
  json('versioning', 'Versioning', 'An object'),
];

/** The members of a collection; JSON may be text. */
function members(item: ServiceItem, name: string, properties: readonly NodeProperty[]): JsonObject {
  const isJson = new Set(properties.filter(({ type }) => type === 'json').map((property) => property.name));
  return Object.fromEntries(
    Object.entries(item.fields(name)).map(([key, value]): [string, JsonValue] => [
      key,
      isJson.has(key) ? (item.json(`${name}.${key}`) ?? null) : value,
    ]),
  );
}

/** Data centers of a bucket are a member of another object. */
function bodyOf(item: ServiceItem, name: string): JsonObject {
  const { dataLocations, ...fields } = members(item, name, bucketBody);
  return dataLocations === undefined ? fields : { ...fields, customPlacementConfig: { dataLocations } };
}

const pageSize = 1_000;
const pages = cursorPaging('items', 'nextPageToken', 'pageToken');

const bucket: Resource = {
  displayName: 'Bucket',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a bucket',
      properties: [
        projectId,
        bucketName,
        collection('createAcl', 'Access Control', acl),
        collection('createBody', 'Additional Fields', bucketBody),
      ],
      run: (item) =>
        item.send({
          path: '/b',
          query: { project: item.required('projectId'), ...item.fields('createAcl') },
          json: { name: item.required('bucketName'), ...bodyOf(item, 'createBody') },
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an empty bucket',
      properties: [bucketName],
      run: (item) => item.perform({ method: 'DELETE', path: bucketPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a bucket',
      properties: [bucketName],
      run: (item) => item.send({ path: bucketPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the buckets of a project',
      properties: [projectId, ...listPropertiesOf()],
      run(item) {
        const query = { project: item.required('projectId'), maxResults: Math.min(item.limit(), pageSize) };
        return item.list({ path: '/b', query }, pages);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a bucket',
      properties: [bucketName, collection('createBody', 'Fields', bucketBody)],
      run: (item) => item.send({ method: 'PATCH', path: bucketPath(item), json: bodyOf(item, 'createBody') }),
    },
  },
};

const objectFields = [
  text('cacheControl', 'Cache Control', 'Value of the header `Cache-Control`'),
  text('contentDisposition', 'Content Disposition', 'Value of the header `Content-Disposition`'),
  text('contentType', 'Content Type', 'Type of the object; default: that of the file'),
  json('metadata', 'Metadata', 'An object with your own values'),
  text('storageClass', 'Storage Class', 'Such as `NEARLINE`'),
];

const object: Resource = {
  displayName: 'Object',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Stores a file or text as an object; an object of that name is replaced',
      properties: [
        bucketName,
        objectName,
        toggle('createFromBinary', 'Use Input Binary Field', 'Whether to store a file of the item instead of text', {
          default: true,
        }),
        text('createBinaryPropertyName', 'Input Binary Field', 'Property of the item with the file', {
          default: 'data',
          ...where({ createFromBinary: [true] }),
        }),
        text('createContent', 'File Content', 'Text of the object', where({ createFromBinary: [false] })),
        collection('createData', 'Additional Fields', objectFields),
        collection('createQuery', 'Options', [text('predefinedAcl', 'Predefined ACL', 'Such as `private`')]),
      ],
      run: store,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an object',
      properties: [bucketName, objectName],
      run: (item) => item.perform({ method: 'DELETE', path: objectPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets the metadata of an object, or the object as a file',
      properties: [
        bucketName,
        objectName,
        choice('alt', 'Projection', choices(['json', 'Metadata'], ['media', 'Object'])),
        text('binaryPropertyName', 'Put Output File in Field', 'Property of the item that gets the file', {
          default: 'data',
          ...where({ alt: ['media'] }),
        }),
      ],
      run: read,
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the objects of a bucket',
      properties: [
        bucketName,
        ...listPropertiesOf(),
        collection('listFilters', 'Filters', [
          text('prefix', 'Prefix', 'Only objects whose names start with this text'),
          text('delimiter', 'Delimiter', 'Groups objects by folder, such as `/`'),
        ]),
      ],
      run(item) {
        const query = { ...item.fields('listFilters'), maxResults: Math.min(item.limit(), pageSize) };
        return item.list({ path: bucketPath(item, '/o'), query }, pages);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes the metadata of an object',
      properties: [bucketName, objectName, collection('createData', 'Fields', objectFields)],
      run: (item) => item.send({ method: 'PATCH', path: objectPath(item), json: members(item, 'createData', objectFields) }),
    },
  },
};

async function store(item: ServiceItem): Promise<JsonValue> {
  const fields = { name: item.required('objectName'), ...members(item, 'createData', objectFields) };
  const content = await contentOf(item);
  const start = {
    method: 'POST',
    path: `${origin}/upload/storage/v1/b/${part(item, 'bucketName')}/o`,
    query: item.fields('createQuery'),
    json: { contentType: content.mimeType, ...fields },
  } as const;
  return resumableUpload(client, item.access, start, content);
}

async function contentOf(item: ServiceItem) {
  if (item.toggle('createFromBinary', true)) return item.content(item.text('createBinaryPropertyName', 'data'));
  const bytes = Buffer.from(item.text('createContent'));
  return { mimeType: 'text/plain', byteLength: bytes.length, bytes: oneChunk(bytes) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function read(item: ServiceItem): Promise<Produced> {
  const metadata = objectOf(await item.send({ path: objectPath(item) }));
  if (item.text('alt', 'json') !== 'media') return metadata;
  const { name = 'file' } = metadata;
  const place = { fileName: asText(name).slice(asText(name).lastIndexOf('/') + 1), isTypeOfName: true };
  const property = item.text('binaryPropertyName', 'data');
  return item.download({ path: objectPath(item), query: { alt: 'media' } }, metadata, property, place);
}

/** Keeps files in Google Cloud Storage. */
export const googleCloudStorage = defineService({
  displayName: 'Google Cloud Storage',
  name: 'google-cloud-storage',
  version: 1,
  description: 'Stores, reads, and lists objects in Google Cloud Storage',
  credentials: [{ name: 'googleCloudStorageOAuth2Api', required: true }],
  icon: 'fa:database',
  iconColor: 'blue',
  client,
  resources: { bucket, object },
});
