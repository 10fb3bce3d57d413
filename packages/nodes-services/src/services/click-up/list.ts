import type { NodeProperty } from '@sluice/node-sdk';
import { between, collection, number, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { folder, folderless, list as listId, listProperties, membersOf, pathOf, space, team } from './click-up-client.ts';

const name = text('name', 'Name', 'Name', { required: true });
const fields: readonly NodeProperty[] = [
  text('assignee', 'Assignee', 'ID of a user'),
  text('content', 'Content', 'Text of the list'),
  text('dueDate', 'Due Date', 'When the list is due'),
  toggle('dueDateTime', 'Due Date Time', 'Whether the due date has a time'),
  between(1, 4, number('priority', 'Priority', 3, '1 (urgent) to 4 (low)')),
  text('status', 'Status', 'Color of the list'),
];
const parents: readonly NodeProperty[] = [team, space, folderless, folder];
const archived = collection('filters', 'Filters', [toggle('archived', 'Archived', 'Whether to return archived ones')]);

/** A list is in a folder, or directly in a space. */
const parentPath = (item: ServiceItem, more: string) =>
  item.toggle('folderless') ? pathOf(item, 'space', 'space', more) : pathOf(item, 'folder', 'folder', more);

export const list: Resource = {
  displayName: 'List',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a list',
      properties: [...parents, name, collection('additionalFields', 'Additional Fields', fields)],
      run: (item) => {
        const json = { name: item.required('name'), ...membersOf(item, item.fields('additionalFields')) };
        return item.send({ path: parentPath(item, '/list'), json });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a list',
      properties: [listId],
      run: (item) => item.send({ path: pathOf(item, 'list', 'list') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the lists of a folder or a space',
      properties: [...parents, ...listProperties, archived],
      run: (item) => item.list({ path: parentPath(item, '/list'), query: item.fields('filters') }, onePage('lists')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a list',
      properties: [
        listId,
        collection('updateFields', 'Update Fields', [
          { ...name, required: false },
          ...fields,
          toggle('unsetStatus', 'Unset Status', 'Whether to remove the color'),
        ]),
      ],
      run: (item) => {
        const { unsetStatus, ...changes } = item.fields('updateFields');
        const json = { ...membersOf(item, changes), ...(unsetStatus !== undefined && { unset_status: unsetStatus }) };
        return item.send({ method: 'PUT', path: pathOf(item, 'list', 'list'), json });
      },
    },
  },
};

const folderId = { ...folder, required: true, displayOptions: {} };

export const folderResource: Resource = {
  displayName: 'Folder',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a folder',
      properties: [team, { ...space, required: true }, name],
      run: (item) => item.send({ path: pathOf(item, 'space', 'space', '/folder'), json: { name: item.required('name') } }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a folder',
      properties: [team, space, folderId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'folder', 'folder') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a folder',
      properties: [team, space, folderId],
      run: (item) => item.send({ path: pathOf(item, 'folder', 'folder') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the folders of a space',
      properties: [team, { ...space, required: true }, ...listProperties, archived],
      run: (item) =>
        item.list({ path: pathOf(item, 'space', 'space', '/folder'), query: item.fields('filters') }, onePage('folders')),
    },
    update: {
      displayName: 'Update',
      description: 'Renames a folder',
      properties: [team, space, folderId, collection('updateFields', 'Update Fields', [{ ...name, required: false }])],
      run: (item) => item.send({ method: 'PUT', path: pathOf(item, 'folder', 'folder'), json: item.fields('updateFields') }),
    },
  },
};

export const timeEntry: Resource = {
  displayName: 'Time Entry',
  initial: 'get',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a time entry, or the running time entry',
      properties: [
        { ...team, required: true },
        toggle('running', 'Running', 'Whether to get the entry that is running'),
        text('timeEntry', 'Time Entry ID', 'ID of the entry', { required: true, ...where({ running: [false] }) }),
      ],
      run: (item) => {
        const which = item.toggle('running') ? 'current' : encodeURIComponent(item.id('timeEntry'));
        return item.send({ path: pathOf(item, 'team', 'team', `/time_entries/${which}`) });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists time entries of the last 30 days',
      properties: [{ ...team, required: true }, ...listProperties],
      run: (item) => item.list({ path: pathOf(item, 'team', 'team', '/time_entries') }, onePage('data')),
    },
  },
};
