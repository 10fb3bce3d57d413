import { collection, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { readAll, readOptions } from './message.ts';
import { folderId, idOf, listed, listProperties, queryProperties } from './outlook-client.ts';

const folderPath = (item: ServiceItem) => `/mailFolders/${idOf(item, 'folderId')}`;
const displayName = text('displayName', 'Name', 'Name of the folder', { required: true });

/** https://learn.microsoft.com/graph/api/resources/mailfolder */
export const folder: Resource = {
  displayName: 'Folder',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a folder',
      properties: [displayName, options([text('folderId', 'Parent Folder', 'ID of the folder that contains the new one')])],
      run: (item) => {
        const parent = item.text('options.folderId');
        const path = parent === '' ? '/mailFolders' : `/mailFolders/${encodeURIComponent(parent)}/childFolders`;
        return item.send({ path, json: { displayName: item.required('displayName') } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a folder and its messages',
      properties: [folderId],
      run: (item) => item.perform({ method: 'DELETE', path: folderPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a folder',
      properties: [folderId],
      run: (item) => item.send({ path: folderPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists folders',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [text('filter', 'Filter Query', 'Filter in the language of Microsoft Graph')]),
        options([
          text('folderId', 'Parent Folder', 'ID of the folder whose folders are listed'),
          toggle('includeChildFolders', 'Include Child Folders', 'Whether to list folders in folders, too'),
        ]),
      ],
      run: folders,
    },
    update: {
      displayName: 'Update',
      description: 'Renames a folder',
      properties: [folderId, displayName],
      run: (item) =>
        item.send({ method: 'PATCH', path: folderPath(item), json: { displayName: item.required('displayName') } }),
    },
  },
};

export const folderMessage: Resource = {
  displayName: 'Folder Message',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the messages of a folder',
      properties: [folderId, ...listProperties, ...queryProperties, readOptions],
      run: (item) => readAll(item, `${folderPath(item)}/messages`),
    },
  },
};

/** Maximum depth of nested folders; Outlook allows 300. */
const maxDepth = 10;

async function folders(item: ServiceItem) {
  const parent = item.text('options.folderId');
  const query = { $filter: item.text('filters.filter') };
  const pathOf = (id: string) => `/mailFolders/${encodeURIComponent(id)}/childFolders`;
  const records = await listed(item, parent === '' ? '/mailFolders' : pathOf(parent), query);
  if (!item.toggle('options.includeChildFolders')) return records;
  const limit = item.limit(100);
  let level = records;
  for (let depth = 1; depth < maxDepth && level.length > 0 && records.length < limit; depth++) {
    const parents = level.filter(({ childFolderCount = 0 }) => Number(childFolderCount) > 0);
    level = [];
    for (const { id = '' } of parents) level.push(...(await listed(item, pathOf(asText(id)), query)));
    for (const one of level) records.push(one);
  }
  return records.slice(0, limit);
}
