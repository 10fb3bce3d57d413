import {
  assertUrlLength,
  bytesOfRow,
  type ExecuteContext,
  type Item,
  type JsonObject,
  NodeOperationError,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { baseName, binaryOf, openBinary, storeBinary, withFile } from '../../shared/binary-files.ts';
import type { ResultBudget } from '../../shared/byte-budget.ts';
import { coercedText, stringOf } from '../../shared/coerced-text.ts';
import { booleanParameter, numberParameter, refuseUnsupported, requiredText, textParameter } from '../../shared/parameters.ts';
import { withoutFinalSlashes } from '../../shared/slashes.ts';
import { elementsOf, type S3Api, type S3Request } from './s3-api.ts';
import { fieldHeaders, tagHeaders } from './s3-headers.ts';

/** Context of an operation for one item. */
interface Step {
  context: ExecuteContext;
  api: S3Api;
  /** The credential's region. */
  region: string;
  /** Limits the entries of lists, shared by all items of a run. */
  budget: ResultBudget;
  item: Item;
  itemIndex: number;
}

type Operation = (step: Step) => Promise<Item[]>;

/** Result of each resource's operations for an item. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  bucket: {
    create: createBucket,
    delete: async (step) => {
      await step.api.call({ method: 'DELETE', bucket: requiredText(step.context, 'name', step.itemIndex) });
      return [success(step)];
    },
    getAll: async (step) => {
      const { Buckets: list } = await step.api.call({ method: 'GET' });
      const buckets = typeof list === 'object' && list !== null && !Array.isArray(list) ? elementsOf(list, 'Bucket') : [];
      return toItems(step, buckets.slice(0, limitOf(step)));
    },
    search: searchBucket,
  },
  folder: {
    create: createFolder,
    delete: deleteFolder,
    getAll: (step) => listed(step, (key) => key.endsWith('/')),
  },
  file: {
    copy: copyFile,
    delete: deleteFile,
    download: downloadFile,
    getAll: (step) => listed(step, (key) => !key.endsWith('/')),
    upload: uploadFile,
  },
};

async function createBucket(step: Step): Promise<Item[]> {
  const { context, api, itemIndex } = step;
  const region = textParameter(context, 'additionalFields.region', itemIndex) || step.region;
  const place = `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
  if (!/^[\w-]+$/.test(region))
    throw new NodeOperationError(`"${region}" is not a region`, { itemIndex, description: 'Use a name such as eu-central-1' });
  const bucket = requiredText(context, 'name', itemIndex);
  refuseUnsupported(context, unsupportedGrants, itemIndex);
  // The service's default region must be omitted from the request.
  await api.call({
    method: 'PUT',
    bucket,
    headers: fieldHeaders(context, itemIndex),
    ...(region !== 'us-east-1' && { body: place }),
  });
  return [success(step)];
}

const grants = ['grantFullControl', 'grantRead', 'grantReadAcp', 'grantWrite', 'grantWriteAcp'];

/** The format has switches without the grantee that S3 requires. */
const unsupportedGrants: readonly UnsupportedUse[] = grants.map((field) => ({
  parameter: `additionalFields.${field}`,
  what: `the field "${field}"`,
  hint: 'It has no grantee; use "acl"',
}));
const commonPrefixes: UnsupportedUse = {
  parameter: 'additionalFields.includeCommonPrefixes',
  what: 'the field "includeCommonPrefixes"',
  hint: 'Use Get Many of folders',
};
export const unsupportedUses: readonly UnsupportedUse[] = [...unsupportedGrants, commonPrefixes];

async function searchBucket(step: Step): Promise<Item[]> {
  const { context, itemIndex } = step;
  refuseUnsupported(context, [commonPrefixes], itemIndex);
  const text = (name: string) => textParameter(context, `additionalFields.${name}`, itemIndex);
  const query = {
    prefix: text('prefix'),
    delimiter: text('delimiter'),
    'encoding-type': text('encodingType'),
    'start-after': text('startAfter'),
    'fetch-owner': booleanParameter(context, 'additionalFields.fetchOwner', itemIndex, false) ? 'true' : '',
  };
  return toItems(step, await objectsOf(step, requiredText(context, 'bucketName', itemIndex), query, () => true));
}

async function listed(step: Step, isWanted: (key: string) => boolean): Promise<Item[]> {
  const { context, itemIndex } = step;
  const query = {
    prefix: textParameter(context, 'options.folderKey', itemIndex),
    'fetch-owner': booleanParameter(context, 'options.fetchOwner', itemIndex, false) ? 'true' : '',
  };
  return toItems(step, await objectsOf(step, requiredText(context, 'bucketName', itemIndex), query, isWanted));
}

/** The requested objects of a bucket, up to the limit. */
async function objectsOf(
  step: Step,
  bucket: string,
  query: Readonly<Record<string, string>>,
  isWanted: (key: string) => boolean,
): Promise<JsonObject[]> {
  const limit = limitOf(step);
  const objects: JsonObject[] = [];
  for await (const page of pagesOf(step, bucket, query)) {
    for (const object of page) {
      if (!isWanted(stringOf(object['Key']))) continue;
      keepWithin(step, object);
      objects.push(object);
    }
    if (objects.length >= limit) break;
  }
  return objects.slice(0, limit);
}

/** The pages of an object list. */
async function* pagesOf(
  { api, context, itemIndex }: Step,
  bucket: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<JsonObject[]> {
  const filters = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const headers = fieldHeaders(context, itemIndex);
  let token = '';
  do {
    const page: Record<string, string> = { 'list-type': '2', ...filters, ...(token !== '' && { 'continuation-token': token }) };
    const response = await api.call({ method: 'GET', bucket, query: page, headers });
    yield elementsOf(response, 'Contents');
    token = response['IsTruncated'] === 'true' ? coercedText(response['NextContinuationToken']) : '';
  } while (token !== '');
}

/** Throws if a run's lists are too large: a service's list may be endless. */
function keepWithin({ budget }: Step, object: JsonObject): void {
  budget.spend(bytesOfRow(object));
}

async function createFolder(step: Step): Promise<Item[]> {
  const { context, api, itemIndex } = step;
  const parent = textParameter(context, 'additionalFields.parentFolderKey', itemIndex);
  const key = `${folderOf(parent)}${withoutFinalSlashes(requiredText(context, 'folderName', itemIndex))}/`;
  const headers = fieldHeaders(context, itemIndex);
  await api.call({ method: 'PUT', bucket: requiredText(context, 'bucketName', itemIndex), key, headers, body: '' });
  return [success(step)];
}

async function deleteFolder(step: Step): Promise<Item[]> {
  const { context, api, itemIndex } = step;
  const bucket = requiredText(context, 'bucketName', itemIndex);
  const prefix = folderOf(requiredText(context, 'folderKey', itemIndex));
  const deleted: JsonObject[] = [];
  for await (const page of pagesOf(step, bucket, { prefix })) {
    for (const { Key: key = null } of page) {
      await api.call({ method: 'DELETE', bucket, key: stringOf(key) });
      keepWithin(step, { Key: key });
      deleted.push({ Key: key });
    }
  }
  return toItems(step, [{ deleted }]);
}

async function copyFile(step: Step): Promise<Item[]> {
  const { context, api, itemIndex } = step;
  refuseUnsupported(step.context, unsupportedGrants, step.itemIndex);
  const place = bucketAndKey(requiredText(context, 'destinationPath', itemIndex), 'destinationPath', itemIndex);
  const source = bucketAndKey(requiredText(context, 'sourcePath', itemIndex), 'sourcePath', itemIndex);
  assertUrlLength([source.bucket, source.key]);
  const copySource = `/${[source.bucket, ...source.key.split('/')].map(encodeURIComponent).join('/')}`;
  const headers = { ...fieldHeaders(context, itemIndex), 'x-amz-copy-source': copySource };
  return toItems(step, [await api.call({ method: 'PUT', ...place, headers })]);
}

/** `/bucket/folder/file`, the first slash optional. */
function bucketAndKey(path: string, parameter: string, itemIndex: number): { bucket: string; key: string } {
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(path) ?? [];
  if (bucket !== undefined && key !== undefined) return { bucket, key };
  throw new NodeOperationError(`the parameter "${parameter}" must name a bucket and a file: /bucket/file`, {
    itemIndex,
    description: 'Start with the name of the bucket',
  });
}

async function deleteFile(step: Step): Promise<Item[]> {
  const versionId = textParameter(step.context, 'options.versionId', step.itemIndex);
  await step.api.call({ method: 'DELETE', ...fileOf(step), ...(versionId !== '' && { query: { versionId } }) });
  return [success(step)];
}

async function downloadFile(step: Step): Promise<Item[]> {
  const { context, api, item, itemIndex } = step;
  const file = fileOf(step);
  if (file.key.endsWith('/'))
    throw new NodeOperationError('a folder cannot be downloaded: use the path of a file', {
      itemIndex,
      description: 'Use Get Many to list the contents of the folder',
    });
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const reference = await api.stream({ method: 'GET', ...file }, (body) =>
    storeBinary(context, itemIndex, body, { fileName: baseName(file.key) }),
  );
  return [{ ...item, binary: withFile(item.binary, property, reference), pairedItem: { item: itemIndex } }];
}

async function uploadFile(step: Step): Promise<Item[]> {
  const { context, api, itemIndex } = step;
  refuseUnsupported(step.context, unsupportedGrants, step.itemIndex);
  const { body, fileName, mimeType } = uploadOf(step);
  const name = textParameter(context, 'fileName', itemIndex) || fileName;
  if (name === '')
    throw new NodeOperationError('the parameter "fileName" is required', {
      itemIndex,
      description: 'Set the name of the file; its expression may have no value',
    });
  const key = `${folderOf(textParameter(context, 'additionalFields.parentFolderKey', itemIndex))}${name}`;
  const headers = { 'content-type': mimeType, ...fieldHeaders(context, itemIndex), ...tagHeaders(context, itemIndex) };
  await api.call({ method: 'PUT', bucket: requiredText(context, 'bucketName', itemIndex), key, headers, body });
  return [success(step)];
}

/** A file of the item, streamed with the length that S3 requires, or a string. */
function uploadOf({ context, itemIndex }: Step): { body: NonNullable<S3Request['body']>; fileName: string; mimeType: string } {
  if (!booleanParameter(context, 'binaryData', itemIndex, true)) {
    return { body: textParameter(context, 'fileContent', itemIndex), fileName: '', mimeType: 'text/plain; charset=utf-8' };
  }
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const { fileName = '', mimeType, fileSize } = binaryOf(context, itemIndex, property);
  const body = {
    open: () => openBinary(context, itemIndex, property),
    ...(fileSize !== undefined && { byteLength: fileSize }),
  };
  return { body, fileName, mimeType };
}

function fileOf({ context, itemIndex }: Step): { bucket: string; key: string } {
  return { bucket: requiredText(context, 'bucketName', itemIndex), key: requiredText(context, 'fileKey', itemIndex) };
}

/** A folder's key ends with a slash; the bucket itself has an empty key. */
function folderOf(key: string): string {
  return key === '' ? '' : `${withoutFinalSlashes(key)}/`;
}

function limitOf({ context, itemIndex }: Step): number {
  if (booleanParameter(context, 'returnAll', itemIndex, false)) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(numberParameter(context, 'limit', itemIndex, 100)));
}

function toItems({ itemIndex }: Step, list: readonly JsonObject[]): Item[] {
  return list.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

function success({ itemIndex }: Step): Item {
  return { json: { success: true }, pairedItem: { item: itemIndex } };
}
