import { encodeQuery, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, namesParameter, text, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pageSize, pages } from './baserow-client.ts';
import { fieldsOf, tableOf, valuesOf } from './baserow-fields.ts';
import { filterOperators } from './filter-operators.ts';

const loaded = (name: string, displayName: string, method: string, description: string): NodeProperty =>
  text(name, displayName, description, { required: true, typeOptions: { loadOptionsMethod: method } });
const table: readonly NodeProperty[] = [
  loaded('databaseId', 'Database', 'getDatabaseIds', 'The database: from the list, or by ID'),
  loaded('tableId', 'Table', 'getTableIds', 'The table: from the list, or by ID'),
];
const field = { ...loaded('field', 'Field', 'getTableFields', 'The field: from the list, by ID, or by name'), required: false };
const rowId = text('rowId', 'Row ID', 'ID of the row', { required: true });
const written: readonly NodeProperty[] = [
  choice('dataToSend', 'Data to Send', choices(['autoMapInputData', 'Fields of the Item'], ['defineBelow', 'Values Below']), {
    default: 'defineBelow',
  }),
  names(
    'inputsToIgnore',
    'Inputs to Ignore',
    'Fields of the item that are not sent',
    where({ dataToSend: ['autoMapInputData'] }),
  ),
  list(
    'fieldsUi',
    'Fields to Send',
    'fieldValues',
    [{ ...field, name: 'fieldId' }, text('fieldValue', 'Field Value', 'Value of the field', { acceptsList: true })],
    where({ dataToSend: ['defineBelow'] }),
  ),
];

const rowsPath = (item: ServiceItem, more = '') => `/database/rows/table/${tableOf(item)}/${more}`;
const rowPath = (item: ServiceItem) => rowsPath(item, `${encodeURIComponent(item.id('rowId').trim())}/`);

async function namedRow(item: ServiceItem, row: JsonValue | undefined): Promise<JsonObject | undefined> {
  return (await (await fieldsOf(item)).named([objectOf(row)]))[0];
}

const rowsJson = (description: string): NodeProperty => ({
  displayName: 'Rows',
  name: 'rows',
  type: 'json',
  default: '[]',
  required: true,
  description,
});

/** Maximum number of rows in a batch of one item. */
const maxRows = 10_000;

function rowsOf(item: ServiceItem): JsonObject[] {
  const rows = item.json('rows');
  if (!Array.isArray(rows) || rows.length > maxRows || objectsOf(rows).length < rows.length)
    throw item.error(
      `the parameter "rows" is not a list of at most ${maxRows} objects`,
      'Set it to JSON such as `[{ "Name": "Ada" }]`',
    );
  return objectsOf(rows);
}

/** Writes many rows, in requests of 200. */
const batch = (method: 'PATCH' | 'POST', isChange: boolean): Operation['run'] =>
  async function run(item) {
    const fields = await fieldsOf(item);
    const keyed = rowsOf(item).map((row) => {
      if (isChange && row['id'] === undefined) throw item.error('a row has no "id"', 'Add the ID of the row to each row');
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [isChange && name === 'id' ? name : fields.keyOf(item, name), value]),
      );
    });
    const records: JsonObject[] = [];
    for (let start = 0; start < keyed.length; start += pageSize) {
      const json = { items: keyed.slice(start, start + pageSize) };
      const { items } = objectOf(await item.send({ method, path: rowsPath(item, 'batch/'), json }));
      for (const row of await fields.named(objectsOf(items))) records.push(row);
    }
    return records;
  };

const directions = choices(['', 'Ascending'], ['-', 'Descending']);

/** https://baserow.io/docs/apis/rest-api */
export const row: Resource = {
  displayName: 'Row',
  initial: 'getAll',
  operations: {
    batchCreate: {
      displayName: 'Batch Create',
      description: 'Creates many rows at once',
      properties: [...table, rowsJson('Rows as JSON, by the names or IDs of fields')],
      run: batch('POST', false),
    },
    batchDelete: {
      displayName: 'Batch Delete',
      description: 'Deletes many rows at once',
      properties: [...table, names('rowIds', 'Row IDs', 'IDs of the rows', { required: true })],
      async run(item) {
        const ids = namesParameter(item.context, 'rowIds', item.index).map(Number);
        if (ids.length === 0 || ids.length > maxRows || !ids.every(Number.isSafeInteger))
          throw item.error('the parameter "rowIds" is not a list of IDs', `Set it to at most ${maxRows} IDs such as \`1,2\``);
        for (let start = 0; start < ids.length; start += pageSize) {
          const json = { items: ids.slice(start, start + pageSize) };
          await item.send({ method: 'POST', path: rowsPath(item, 'batch-delete/'), json });
        }
        return { success: true };
      },
    },
    batchUpdate: {
      displayName: 'Batch Update',
      description: 'Changes many rows at once',
      properties: [...table, rowsJson('Rows as JSON, each with its `id`, by the names or IDs of fields')],
      run: batch('PATCH', true),
    },
    create: {
      displayName: 'Create',
      description: 'Creates a row',
      properties: [...table, ...written],
      run: async (item) => namedRow(item, await item.send({ path: rowsPath(item), json: await valuesOf(item) })),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a row',
      properties: [...table, rowId],
      run: (item) => item.perform({ method: 'DELETE', path: rowPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a row',
      properties: [...table, rowId],
      run: async (item) => namedRow(item, await item.send({ path: rowPath(item) })),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists rows',
      properties: [
        ...table,
        ...listPropertiesOf(100),
        collection('additionalOptions', 'Options', [
          list('filters', 'Filters', 'fields', [
            field,
            choice('operator', 'Filter', filterOperators, { default: 'equal' }),
            text('value', 'Value', 'Value to compare with'),
          ]),
          choice('filterType', 'Filter Type', choices(['AND', 'AND'], ['OR', 'OR'])),
          list('order', 'Sorting', 'fields', [field, choice('direction', 'Direction', directions)]),
          text('search', 'Search Term', 'Text that rows contain'),
        ]),
      ],
      async run(item) {
        const limit = item.limit(100);
        const size = Math.min(limit, pageSize);
        const request = { path: rowsPath(item, await conditionsOf(item)), query: { size } };
        return (await fieldsOf(item)).named(await item.list(request, pages(size), limit));
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a row',
      properties: [...table, rowId, ...written],
      run: async (item) =>
        namedRow(item, await item.send({ method: 'PATCH', path: rowPath(item), json: await valuesOf(item) })),
    },
  },
};

/** Filters on more fields would exceed the URL length. */
const maxFilters = 100;

/** Conditions and order. A filter such as `empty` has no value but is sent. */
async function conditionsOf(item: ServiceItem): Promise<string> {
  const fields = await fieldsOf(item);
  const { filterType, search } = item.fields('additionalOptions');
  const filters = item.entries('additionalOptions.filters.fields');
  const order = item.entries('additionalOptions.order.fields');
  if (filters.length + order.length > maxFilters)
    throw item.error(`there are more than ${maxFilters} filters and fields to sort by`, 'Use fewer of them');
  const pairs = filters.map(({ field: one = '', operator = 'equal', value = '' }): [string, string] => [
    `filter__${fields.keyOf(item, one)}__${operator}`,
    asText(value),
  ]);
  if (filters.length > 0) pairs.push(['filter_type', asText(filterType ?? 'AND')]);
  const sorted = order.map(({ field: one = '', direction = '' }) => `${direction}${fields.keyOf(item, one)}`);
  if (sorted.length > 0) pairs.push(['order_by', sorted.join()]);
  if (search !== undefined) pairs.push(['search', asText(search)]);
  return pairs.length > 0 ? `?${encodeQuery(pairs)}` : '';
}
