import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, names, namesParameter, text, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, listOptions, queryOf, readOptions, recordId, recordPath, resultOf, tablePath } from './service-now-client.ts';

const tableName = text('tableName', 'Table Name or ID', 'Name of the table, such as `change_request`', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getTables' },
});
const id = recordId('Record');
const data: readonly NodeProperty[] = [
  choice(
    'dataToSend',
    'Data to Send',
    choices(
      ['mapInput', 'Auto-Map Input Data to Columns', 'Fields of the item'],
      ['columns', 'Define Below for Each Column', 'Values of the columns below'],
      ['nothing', 'Nothing', 'No values'],
    ),
  ),
  names('inputsToIgnore', 'Inputs to Ignore', 'Fields of the item to omit', where({ dataToSend: ['mapInput'] })),
  list(
    'fieldsToSend',
    'Fields to Send',
    'field',
    [
      text('column', 'Field Name', 'Name of the column', { typeOptions: { loadOptionsMethod: 'getColumns' } }),
      text('value', 'Field Value', 'Value of the column'),
    ],
    where({ dataToSend: ['columns'] }),
  ),
];

const tableOf = (item: ServiceItem): string => tablePath(item.id('tableName').trim());
const pathOf = (item: ServiceItem): string => recordPath(item.id('tableName').trim(), item.id('id'));

/** Records of any table. */
export const tableRecord: Resource = {
  displayName: 'Table Record',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a record',
      properties: [tableName, ...data],
      run: (item) => resultOf(item, { path: tableOf(item), json: valuesOf(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a record',
      properties: [tableName, id],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a record',
      properties: [tableName, id, readOptions],
      run: (item) => resultOf(item, { path: pathOf(item), query: queryOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the records of a table',
      properties: [tableName, ...listOptions],
      run: (item) => listed(item, tableOf(item), queryOf(item)),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a record; columns that are not set are kept',
      properties: [tableName, id, ...data],
      run: (item) => resultOf(item, { method: 'PATCH', path: pathOf(item), json: valuesOf(item) }),
    },
  },
};

function valuesOf(item: ServiceItem): JsonObject {
  const source = item.text('dataToSend', 'mapInput');
  if (source === 'nothing') return {};
  if (source === 'columns') {
    const entries = item.entries('fieldsToSend.field');
    const named = entries.map(({ column = '', value = '' }) => [asText(column).trim(), value] as const);
    return Object.fromEntries(named.filter(([name]) => name !== ''));
  }
  const ignored = new Set(namesParameter(item.context, 'inputsToIgnore', item.index));
  const json = item.context.items()[item.index]?.json ?? {};
  return Object.fromEntries(Object.entries(json).filter(([name]) => !ignored.has(name)));
}
