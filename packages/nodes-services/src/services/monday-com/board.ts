import type { JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { ask, jsonText, numberedPages } from './monday-com-client.ts';

export const boardId = text('boardId', 'Board Name or ID', 'ID of the board', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getBoards' },
});
export const groupId = text('groupId', 'Group Name or ID', 'ID of the group', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getGroups' },
});

const boardFields = '{ id name description state board_folder_id board_kind owners { id } }';

/** https://developer.monday.com/api-reference/reference/boards */
export const board: Resource = {
  displayName: 'Board',
  initial: 'create',
  operations: {
    archive: {
      displayName: 'Archive',
      description: 'Archives a board',
      properties: [boardId],
      run: (item) =>
        changed(item, 'archive_board', 'mutation ($id: ID!) { archive_board (board_id: $id) { id } }', {
          id: item.id('boardId'),
        }),
    },
    create: {
      displayName: 'Create',
      description: 'Creates a board',
      properties: [
        text('name', 'Name', 'Name of the board', { required: true }),
        choice('kind', 'Kind', choices(['share', 'Share'], ['public', 'Public'], ['private', 'Private'])),
        collection('additionalFields', 'Additional Fields', [
          text('templateId', 'Template ID', 'ID of the board whose structure is copied'),
        ]),
      ],
      run: (item) =>
        changed(
          item,
          'create_board',
          'mutation ($name: String!, $kind: BoardKind!, $templateId: ID) { create_board (board_name: $name, board_kind: $kind, template_id: $templateId) { id } }',
          {
            name: item.required('name'),
            kind: item.text('kind', 'share'),
            templateId: item.optional('additionalFields.templateId'),
          },
        ),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a board',
      properties: [boardId],
      run: async (item) =>
        objectsOf((await ask(item.access, `query ($ids: [ID!]) { boards (ids: $ids) ${boardFields} }`, idsOf(item)))['boards']),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists boards',
      properties: listPropertiesOf(),
      run: (item) =>
        numberedPages(
          item.access,
          `query ($page: Int, $limit: Int) { boards (page: $page, limit: $limit) ${boardFields} }`,
          'boards',
          item.limit(),
        ),
    },
  },
};

const idsOf = (item: ServiceItem) => ({ ids: [item.id('boardId')] });

/** Sends a mutation; resolves to what it returns. */
export async function changed(
  item: ServiceItem,
  name: string,
  query: string,
  variables: Parameters<typeof ask>[2],
): Promise<JsonObject> {
  return objectOf((await ask(item.access, query, variables))[name]);
}

/** A list in the selected board. */
async function partsOf(item: ServiceItem, part: string, fields: string): Promise<JsonObject[]> {
  const query = `query ($ids: [ID!]) { boards (ids: $ids) { ${part} ${fields} } }`;
  const [records = {}] = objectsOf((await ask(item.access, query, idsOf(item)))['boards']);
  return objectsOf(records[part]);
}

/** https://developer.monday.com/api-reference/reference/columns */
export const boardColumn: Resource = {
  displayName: 'Board Column',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a column',
      properties: [
        boardId,
        text('title', 'Title', 'Title of the column', { required: true }),
        text('columnType', 'Column Type', 'Type of the column, such as `text`, `status`, `date`, or `long_text`', {
          required: true,
        }),
        collection('additionalFields', 'Additional Fields', [
          { displayName: 'Defaults', name: 'defaults', type: 'json', default: '', description: 'Settings of the column' },
        ]),
      ],
      run: async (item) =>
        changed(
          item,
          'create_column',
          'mutation ($boardId: ID!, $title: String!, $columnType: ColumnType!, $defaults: JSON) { create_column (board_id: $boardId, title: $title, column_type: $columnType, defaults: $defaults) { id } }',
          {
            boardId: item.id('boardId'),
            title: item.required('title'),
            columnType: snakeCase(item.required('columnType')),
            defaults: await jsonText(item, 'additionalFields.defaults'),
          },
        ),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the columns of a board',
      properties: [boardId],
      run: (item) => partsOf(item, 'columns', '{ id title type settings_str archived }'),
    },
  },
};

/** `longText` → `long_text` */
const snakeCase = (text: string): string =>
  text
    .trim()
    .slice(0, 100)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();

/** https://developer.monday.com/api-reference/reference/groups */
export const boardGroup: Resource = {
  displayName: 'Board Group',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a group in a board',
      properties: [boardId, text('name', 'Name', 'Name of the group', { required: true })],
      run: (item) =>
        changed(
          item,
          'create_group',
          'mutation ($boardId: ID!, $name: String!) { create_group (board_id: $boardId, group_name: $name) { id } }',
          { boardId: item.id('boardId'), name: item.required('name') },
        ),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a group with its items',
      properties: [boardId, groupId],
      run: (item) =>
        changed(
          item,
          'delete_group',
          'mutation ($boardId: ID!, $groupId: String!) { delete_group (board_id: $boardId, group_id: $groupId) { id deleted } }',
          { boardId: item.id('boardId'), groupId: item.id('groupId') },
        ),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the groups of a board',
      properties: [boardId],
      run: (item) => partsOf(item, 'groups', '{ id title color position archived }'),
    },
  },
};
