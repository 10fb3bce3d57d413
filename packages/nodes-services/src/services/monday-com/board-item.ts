import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { boardId, changed, groupId } from './board.ts';
import { ask, cursorPages, itemsPage, itemsQuery, jsonText, simplified } from './monday-com-client.ts';

const itemId = text('itemId', 'Item ID', 'ID of the item', { required: true });
const columnId = text('columnId', 'Column Name or ID', 'ID of the column', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getColumns' },
});
const json = (name: string, displayName: string, description: string, isRequired = true): NodeProperty => ({
  displayName,
  name,
  type: 'json',
  default: '',
  description,
  ...(isRequired && { required: true }),
});
const columnValues = (isRequired: boolean) =>
  json('columnValues', 'Column Values', 'ID of a column → value, such as `{"status": {"label": "Done"}}`', isRequired);

/** https://developer.monday.com/api-reference/reference/items */
export const boardItem: Resource = {
  displayName: 'Board Item',
  initial: 'create',
  operations: {
    addUpdate: {
      displayName: 'Add Update',
      description: 'Adds an update (a comment) to an item',
      properties: [itemId, text('value', 'Update Text', 'Text of the update, as HTML', { required: true })],
      run: (item) =>
        changed(
          item,
          'create_update',
          'mutation ($itemId: ID!, $value: String!) { create_update (item_id: $itemId, body: $value) { id } }',
          { itemId: item.id('itemId'), value: item.required('value') },
        ),
    },
    changeColumnValue: {
      displayName: 'Change Column Value',
      description: 'Changes the value of one column',
      properties: [boardId, itemId, columnId, json('value', 'Value', 'The value: JSON, or text')],
      run: async (item) =>
        changed(
          item,
          'change_column_value',
          'mutation ($boardId: ID!, $itemId: ID!, $columnId: String!, $value: JSON!) { change_column_value (board_id: $boardId, item_id: $itemId, column_id: $columnId, value: $value) { id } }',
          {
            boardId: item.id('boardId'),
            itemId: item.id('itemId'),
            columnId: item.id('columnId'),
            value: await columnValue(item),
          },
        ),
    },
    changeMultipleColumnValues: {
      displayName: 'Change Multiple Column Values',
      description: 'Changes the values of several columns',
      properties: [boardId, itemId, columnValues(true)],
      run: async (item) =>
        changed(
          item,
          'change_multiple_column_values',
          'mutation ($boardId: ID!, $itemId: ID!, $columnValues: JSON!) { change_multiple_column_values (board_id: $boardId, item_id: $itemId, column_values: $columnValues) { id } }',
          { boardId: item.id('boardId'), itemId: item.id('itemId'), columnValues: await requiredJson(item, 'columnValues') },
        ),
    },
    create: {
      displayName: 'Create',
      description: 'Creates an item in a group of a board',
      properties: [
        boardId,
        groupId,
        text('name', 'Name', 'Name of the item', { required: true }),
        collection('additionalFields', 'Additional Fields', [columnValues(false)]),
      ],
      run: async (item) =>
        changed(
          item,
          'create_item',
          'mutation ($boardId: ID!, $groupId: String!, $itemName: String!, $columnValues: JSON) { create_item (board_id: $boardId, group_id: $groupId, item_name: $itemName, column_values: $columnValues) { id } }',
          {
            boardId: item.id('boardId'),
            groupId: item.id('groupId'),
            itemName: item.required('name'),
            columnValues: await jsonText(item, 'additionalFields.columnValues'),
          },
        ),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an item',
      properties: [itemId],
      run: (item) =>
        changed(item, 'delete_item', 'mutation ($itemId: ID!) { delete_item (item_id: $itemId) { id } }', {
          itemId: item.id('itemId'),
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets items',
      properties: [{ ...itemId, description: 'ID of the item, or several IDs separated by commas' }],
      run: async (item) => objectsOf((await ask(item.access, itemsQuery, { ids: idsOf(item) }))['items']).map(simplified),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the items of a group',
      properties: [
        boardId,
        { ...groupId, required: false, description: 'ID of the group; default: all groups' },
        ...listPropertiesOf(),
      ],
      run: getAll,
    },
    getByColumnValue: {
      displayName: 'Get by Column Value',
      description: 'Lists the items that have a value in a column',
      properties: [
        boardId,
        columnId,
        text('columnValue', 'Column Value', 'The value', { required: true }),
        ...listPropertiesOf(),
      ],
      run: (item) =>
        cursorPages(
          item.access,
          `query ($boardId: ID!, $columnId: String!, $columnValue: String!, $limit: Int!) { items_page_by_column_values (limit: $limit, board_id: $boardId, columns: [{ column_id: $columnId, column_values: [$columnValue] }]) ${itemsPage} }`,
          { boardId: item.id('boardId'), columnId: item.id('columnId'), columnValue: item.required('columnValue') },
          (data) => data['items_page_by_column_values'],
          item.limit(),
        ),
    },
    move: {
      displayName: 'Move to Group',
      description: 'Moves an item to another group of its board',
      properties: [boardId, itemId, groupId],
      run: (item) =>
        changed(
          item,
          'move_item_to_group',
          'mutation ($itemId: ID!, $groupId: String!) { move_item_to_group (item_id: $itemId, group_id: $groupId) { id } }',
          { itemId: item.id('itemId'), groupId: item.id('groupId') },
        ),
    },
  },
};

/** The API accepts at most 100 IDs. */
const maxIds = 100;

function idsOf(item: ServiceItem): string[] {
  const ids = item
    .id('itemId')
    .split(',', maxIds + 1)
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length > maxIds) throw item.error(`more than ${maxIds} items are named`, 'Get fewer items at a time');
  return ids;
}

async function requiredJson(item: ServiceItem, path: string): Promise<string> {
  const value = await jsonText(item, path);
  if (value !== undefined) return value;
  throw item.error(`the parameter "${path}" is required`, 'Fill it in; its expression may have no value for this item');
}

/** JSON is unchanged; other text becomes a JSON string. */
async function columnValue(item: ServiceItem): Promise<string> {
  const value = item.context.parameter('value', item.index);
  if (typeof value === 'string' && !/^\s*[[{"]/.test(value) && !/^(?:-?\d+(?:\.\d+)?|true|false|null|\s*)$/.test(value))
    return JSON.stringify(value);
  return requiredJson(item, 'value');
}

function getAll(item: ServiceItem): Promise<JsonObject[]> {
  const group = item.optional('groupId');
  const page = `items_page (limit: $limit) ${itemsPage}`;
  const query =
    group === undefined
      ? `query ($boardId: [ID!], $limit: Int!) { boards (ids: $boardId) { ${page} } }`
      : `query ($boardId: [ID!], $groupId: [String], $limit: Int!) { boards (ids: $boardId) { groups (ids: $groupId) { ${page} } } }`;
  return cursorPages(
    item.access,
    query,
    { boardId: [item.id('boardId')], ...(group !== undefined && { groupId: [group] }) },
    ({ boards }) => {
      const [first = {}] = objectsOf(boards);
      const [inGroup = {}] = objectsOf(first['groups']);
      return objectOf((group === undefined ? first : inGroup)['items_page']);
    },
    item.limit(),
  );
}
