import { type JsonObject, mapSliced, type NodeProperty } from '@sluice/node-sdk';
import { choices, collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { call, listed, matched, simplified } from './dropbox-client.ts';
import { relocation, removal } from './file.ts';

/** Maximum number of entries in a list response. */
const entriesPerPage = 2_000;
const matchesPerPage = 1_000;

/** The API's path for the root is empty. */
const folderPath = (path: string): string => (path.trim() === '/' ? '' : path.trim());

const filters: readonly NodeProperty[] = [
  toggle('include_deleted', 'Include Deleted', 'Whether to list deleted files and folders, too'),
  toggle('include_shared_members', 'Include Shared Members', 'Whether entries say if they have members of their own'),
  toggle('include_mounted_folders', 'Include Mounted Folders', 'Whether to list mounted folders, too', { default: true }),
  toggle('include_non_downloadable_files', 'Include Non-Downloadable Files', 'Whether to list files that have no content', {
    default: true,
  }),
  toggle('recursive', 'Recursive', 'Whether to list folders in folders, too'),
];

export const folder: Resource = {
  displayName: 'Folder',
  initial: 'create',
  operations: {
    copy: relocation('Copy', 'folder', 'Copies', 'copy_v2'),
    create: {
      displayName: 'Create',
      description: 'Creates a folder',
      properties: [text('path', 'Folder', 'Path of the folder, such as `/reports`', { required: true })],
      run: (item) => call(item, 'create_folder_v2', { path: item.required('path') }),
    },
    delete: removal('folder'),
    list: {
      displayName: 'List',
      description: 'Lists the contents of a folder',
      properties: [
        text('path', 'Folder Path', 'Path of the folder; `/` or empty: the root'),
        ...listPropertiesOf(),
        collection('filters', 'Filters', filters),
      ],
      run: list,
    },
    move: relocation('Move', 'folder', 'Moves', 'move_v2'),
  },
};

/** https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder */
async function list(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit();
  const json = { path: folderPath(item.text('path')), limit: Math.min(limit, entriesPerPage), ...item.fields('filters') };
  return mapSliced(await listed(item, 'list_folder', ['entries', 'list_folder/continue'], json, limit), simplified);
}

const categories = choices(
  ['audio', 'Audio'],
  ['document', 'Document'],
  ['folder', 'Folder'],
  ['image', 'Image'],
  ['others', 'Other'],
  ['paper', 'Paper'],
  ['pdf', 'PDF'],
  ['presentation', 'Presentation'],
  ['spreadsheet', 'Spreadsheet'],
  ['video', 'Video'],
);

export const search: Resource = {
  displayName: 'Search',
  operations: {
    query: {
      displayName: 'Query',
      description: 'Finds files and folders',
      properties: [
        text('query', 'Query', 'Words in names and contents', { required: true }),
        choiceOfStatus(),
        ...listPropertiesOf(100),
        toggle('simple', 'Simplify', 'Whether to return the usual fields instead of the response', { default: true }),
        collection('filters', 'Filters', [
          {
            displayName: 'File Categories',
            name: 'file_categories',
            type: 'multiOptions',
            default: [],
            options: categories,
            description: 'Kinds of files',
          },
          names('file_extensions', 'File Extensions', 'Extensions such as `pdf,docx`'),
          text('path', 'Folder', 'Path of the folder to search; default: all of Dropbox'),
        ]),
      ],
      run: find,
    },
  },
};

function choiceOfStatus(): NodeProperty {
  return {
    displayName: 'File Status',
    name: 'fileStatus',
    type: 'options',
    default: 'active',
    options: choices(['active', 'Active'], ['deleted', 'Deleted']),
    description: 'State of the files',
  };
}

/** https://www.dropbox.com/developers/documentation/http/documentation#files-search-v2 */
async function find(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const { file_categories: kinds, path } = item.fields('filters');
  const extensions = namesParameter(item.context, 'filters.file_extensions', item.index);
  const options = {
    max_results: Math.min(limit, matchesPerPage),
    file_status: item.text('fileStatus', 'active'),
    ...(typeof path === 'string' && { path: folderPath(path) }),
    ...(kinds !== undefined && { file_categories: kinds }),
    ...(extensions.length > 0 && { file_extensions: extensions }),
  };
  const json = { query: item.required('query'), options };
  const records = await listed(item, 'search_v2', ['matches', 'search/continue_v2'], json, limit);
  return item.toggle('simple', true) ? mapSliced(records, (match) => simplified(matched(match))) : records;
}
