import { headerText, isAppError, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { drivePart, graphPages, microsoftGraph, odataText } from '../../shared/microsoft-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://learn.microsoft.com/graph/api/resources/onedrive */
const client = microsoftGraph('Microsoft OneDrive', 'microsoftOneDriveOAuth2Api', () => '/me/drive');

const fileId = text('fileId', 'File ID', 'ID of the file', { required: true });
const folderId = text('folderId', 'Folder ID', 'ID of the folder', { required: true });
const newName = text('newName', 'New Name', 'New name', { required: true });
const property = (use: string) =>
  text('binaryPropertyName', 'Binary Property', `Property of the item that ${use} the file`, {
    default: 'data',
    required: true,
  });
const itemPath = (item: ServiceItem, path: string) => `/items/${encodeURIComponent(item.required(path))}`;

const get = (path: string, what: string): Operation => ({
  displayName: 'Get',
  description: `Gets a ${what}`,
  properties: [path === 'fileId' ? fileId : folderId],
  run: (item) => item.send({ path: itemPath(item, path) }),
});
const remove = (path: string, what: string): Operation => ({
  displayName: 'Delete',
  description: `Deletes a ${what}`,
  properties: [path === 'fileId' ? fileId : folderId],
  run: (item) => item.perform({ method: 'DELETE', path: itemPath(item, path) }),
});
const rename = (path: string, what: string): Operation => ({
  displayName: 'Rename',
  description: `Renames a ${what}`,
  properties: [text(path, 'Item ID', `ID of the ${what}`, { required: true }), newName],
  run: (item) => item.send({ method: 'PATCH', path: itemPath(item, path), json: { name: item.required('newName') } }),
});
const search = (member: 'file' | 'folder'): Operation => ({
  displayName: 'Search',
  description: `Finds ${member}s by their name or content`,
  properties: [text('query', 'Query', 'Words to find', { required: true })],
  run(item) {
    const path = `/root/search(q=${encodeURIComponent(odataText(item.required('query')))})`;
    return item.listWhere({ path }, graphPages, (one) => isJsonObject(one[member]));
  },
});
const share = (path: string, what: string): Operation => ({
  displayName: 'Share',
  description: `Creates a link to a ${what}`,
  properties: [
    path === 'fileId' ? fileId : folderId,
    choice('type', 'Type', choices(['view', 'View'], ['edit', 'Edit'], ['embed', 'Embed'])),
    choice('scope', 'Scope', choices(['anonymous', 'Anonymous'], ['organization', 'Organization'])),
  ],
  run: (item) =>
    item.send({
      path: `${itemPath(item, path)}/createLink`,
      json: { type: item.text('type', 'view'), scope: item.text('scope', 'anonymous') },
    }),
});

const file: Resource = {
  displayName: 'File',
  initial: 'upload',
  operations: {
    copy: {
      displayName: 'Copy',
      description: 'Copies a file; OneDrive does so in the background',
      properties: [
        fileId,
        collection('additionalFields', 'Additional Fields', [text('name', 'Name', 'Name of the copy')]),
        collection('parentReference', 'Parent Reference', [
          text('driveId', 'Drive ID', 'ID of the drive that gets the copy'),
          text('id', 'ID', 'ID of the folder that gets the copy'),
        ]),
      ],
      async run(item) {
        const parentReference = item.fields('parentReference');
        const json = {
          ...item.fields('additionalFields'),
          ...(Object.keys(parentReference).length > 0 && { parentReference }),
        };
        const { headers } = await item.exchange({ path: `${itemPath(item, 'fileId')}/copy`, json });
        return { location: headerText(headers, 'location') };
      },
    },
    delete: remove('fileId', 'file'),
    download: {
      displayName: 'Download',
      description: 'Downloads a file',
      properties: [fileId, property('gets')],
      async run(item) {
        const response = await item.send({ path: itemPath(item, 'fileId') });
        const { name = '', file: details } = objectOf(response);
        const mimeType = isJsonObject(details) ? asText(details['mimeType'] ?? '') : '';
        const path = `${itemPath(item, 'fileId')}/content`;
        return item.download({ path }, {}, item.text('binaryPropertyName', 'data'), { fileName: asText(name), mimeType });
      },
    },
    get: get('fileId', 'file'),
    rename: rename('itemId', 'file'),
    search: search('file'),
    share: share('fileId', 'file'),
    upload: {
      displayName: 'Upload',
      description: 'Uploads a file of at most 250 MB, or text',
      properties: [
        text('fileName', 'File Name', 'Name of the file; by default, that of the file of the item'),
        text('parentId', 'Parent ID', 'ID of the folder; default: the root'),
        toggle('binaryData', 'Binary File', 'Whether to upload a file of the item instead of text'),
        { ...property('has'), ...where({ binaryData: [true] }) },
        text('fileContent', 'File Content', 'Text of the file', where({ binaryData: [false] })),
      ],
      run: upload,
    },
  },
};

/** https://learn.microsoft.com/graph/api/driveitem-put-content */
async function upload(item: ServiceItem): Promise<JsonValue | undefined> {
  const stored = item.toggle('binaryData') ? item.file(item.text('binaryPropertyName', 'data')) : undefined;
  const name = item.optional('fileName') ?? stored?.fileName;
  if (name === undefined) throw item.error('the file has no name', 'Fill in the parameter "File Name"');
  const parent = encodeURIComponent(item.optional('parentId') ?? 'root');
  const { body } = stored ? await item.body(stored) : { body: item.text('fileContent') };
  return item.send({
    method: 'PUT',
    path: `/items/${parent}:/${drivePart(item, name)}:/content`,
    bytes: { body, contentType: stored?.mimeType ?? 'text/plain' },
  });
}

async function newFolder(item: ServiceItem, parent: string, name: string): Promise<JsonObject> {
  const json = { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' };
  return (await item.send({ path: `/items/${encodeURIComponent(parent)}/children`, json })) as JsonObject;
}

/** ID of a folder, which is created if it does not exist. */
async function existingFolder(item: ServiceItem, parent: string, name: string): Promise<string> {
  const path = `/items/${encodeURIComponent(parent)}:/${drivePart(item, name)}:`;
  const response = await item.send({ path }).catch((error: unknown) => {
    if (isAppError(error) && isJsonObject(error.details) && error.details['status'] === 404)
      return newFolder(item, parent, name);
    throw error;
  });
  return isJsonObject(response) ? asText(response['id'] ?? '') : '';
}

/**
 * https://support.microsoft.com/office/restrictions-and-limitations-in-onedrive-and-sharepoint-64883a5d-228e-48f5-b3d2-eb39e07630fa
 */
const maxPathLength = 400;

const folder: Resource = {
  displayName: 'Folder',
  initial: 'getChildren',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a folder, with the folders before it: `a/b`',
      properties: [
        text('name', 'Name', 'Name of the folder, or several names separated by slashes', { required: true }),
        options([text('parentFolderId', 'Parent Folder ID', 'ID of the folder that contains it; default: the root')]),
      ],
      async run(item) {
        const path = item.required('name');
        if (path.length > maxPathLength)
          throw item.error(
            `the path has more than ${maxPathLength} characters`,
            'OneDrive does not allow longer paths: shorten the path',
          );
        const names = path.split('/').filter((part) => part !== '');
        let parent = item.optional('options.parentFolderId') ?? 'root';
        for (const name of names.slice(0, -1)) parent = await existingFolder(item, parent, name);
        return newFolder(item, parent, names.at(-1) ?? '');
      },
    },
    delete: remove('folderId', 'folder'),
    getChildren: {
      displayName: 'Get Children',
      description: 'Lists the contents of a folder',
      properties: [folderId],
      run: (item) => item.list({ path: `${itemPath(item, 'folderId')}/children` }, graphPages, Number.POSITIVE_INFINITY),
    },
    rename: rename('folderId', 'folder'),
    search: search('folder'),
    share: share('folderId', 'folder'),
  },
};

export const microsoftOneDrive = defineService({
  displayName: 'Microsoft OneDrive',
  name: 'microsoft-one-drive',
  version: 1,
  description: 'Uploads, downloads, finds, and shares files and folders in OneDrive',
  credentials: [{ name: 'microsoftOneDriveOAuth2Api', required: true }],
  icon: 'fa:cloud',
  iconColor: 'blue',
  client,
  resources: { file, folder },
});
