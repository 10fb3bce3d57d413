import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty, ownProperty } from '@sluice/node-sdk';
import {
  choice,
  choiceParameter,
  choices,
  list,
  names,
  namesParameter,
  options,
  text,
  toggle,
  when,
  where,
} from '@sluice/nodes-base/node-tools';
import type { ApiRequest } from '../../shared/api-client.ts';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pageSize, pages } from './noco-db-client.ts';

const table: readonly NodeProperty[] = [
  text('workspaceId', 'Workspace', 'ID of the workspace; `none` on a server of your own', { default: 'none', ...when([3]) }),
  text('projectId', 'Base', 'ID of the base; in version 1 its name', { required: true }),
  text('table', 'Table', 'ID of the table; in version 1 its name', { required: true }),
];
const rowId = text('id', 'Row ID', 'ID of the row', { required: true });
const key: readonly NodeProperty[] = [
  choice('primaryKey', 'Primary Key', choices(['Id', 'Id'], ['id', 'id'], ['ncRecordId', 'ncRecordId'], ['custom', 'Custom']), {
    description: 'Field with the ID of a row',
    ...when([3]),
  }),
  text('customPrimaryKey', 'Field Name', 'Name of the field with the ID of a row', when([3], { primaryKey: ['custom'] })),
];
const data: readonly NodeProperty[] = [
  choice('dataToSend', 'Data to Send', choices(['defineBelow', 'Define Below'], ['autoMapInputData', 'Auto-Map Input Data'])),
  names(
    'inputsToIgnore',
    'Inputs to Ignore',
    'Fields of the item that are not written',
    where({ dataToSend: ['autoMapInputData'] }),
  ),
  list(
    'fieldsUi',
    'Fields',
    'fieldValues',
    [
      text('fieldName', 'Field Name', 'Name of the field'),
      text('fieldValue', 'Value', 'Value of the field', { acceptsList: true }),
      toggle('binaryData', 'Is Binary Data', 'Not supported: whether the value is a file'),
    ],
    where({ dataToSend: ['defineBelow'] }),
  ),
];

export const row: Resource = {
  displayName: 'Row',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a row',
      properties: [...table, ...data],
      run: async (item) => merged(await item.send({ path: rowsPath(item), json: rowOf(item) }), rowOf(item)),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a row',
      properties: [...table, ...key, rowId],
      async run(item) {
        const deleted = await item.send(ofRow(item, 'DELETE', {}));
        return isJsonObject(deleted) ? deleted : { success: true };
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a row',
      properties: [...table, rowId],
      run: (item) => item.send({ path: onePath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists rows',
      properties: [
        ...table,
        ...listPropertiesOf(),
        options([
          text('viewId', 'View', 'ID of the view whose rows and order count'),
          names('fields', 'Fields', 'Names of the fields to return; default: all'),
          list('sort', 'Sort', 'property', [
            text('field', 'Field', 'Name of the field'),
            choice('direction', 'Direction', choices(['asc', 'Ascending'], ['desc', 'Descending'])),
          ]),
          text('where', 'Filter By Formula', 'Conditions such as `(name,eq,Ada)~and(age,gt,30)`'),
        ]),
      ],
      run: (item) => {
        const limit = item.limit();
        const query = { ...queryOf(item), limit: Math.min(limit, pageSize) };
        return item.list({ path: rowsPath(item), query }, pages, limit);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a row',
      properties: [
        ...table,
        ...key,
        { ...rowId, required: false, description: 'ID of the row; default: the row ID of the item' },
        ...data,
      ],
      run: async (item) => merged(await item.send(ofRow(item, 'PATCH', rowOf(item))), rowOf(item)),
    },
  },
};

const part = (item: ServiceItem, name: string) => encodeURIComponent(item.id(name));

function rowsPath(item: ServiceItem): string {
  if (item.version >= 3) return `/api/v2/tables/${part(item, 'table')}/records`;
  if (item.version >= 2) return `/api/v1/db/data/noco/${part(item, 'projectId')}/${part(item, 'table')}`;
  return `/nc/${part(item, 'projectId')}/api/v1/${part(item, 'table')}`;
}

const onePath = (item: ServiceItem) => `${rowsPath(item)}/${encodeURIComponent(idOf(item))}`;

/** Version 3 sends the row ID in the body, the others in the path. */
function ofRow(item: ServiceItem, method: 'DELETE' | 'PATCH', values: JsonObject): ApiRequest {
  if (item.version >= 3) return { method, path: rowsPath(item), json: [{ ...values, [keyOf(item)]: idOf(item) }] };
  const change = item.version >= 2 ? method : 'PUT';
  return { method: method === 'PATCH' ? change : method, path: onePath(item), ...(method === 'PATCH' && { json: values }) };
}

function keyOf(item: ServiceItem): string {
  const chosen = choiceParameter(item.context, 'primaryKey', item.index, ['Id', 'id', 'ncRecordId', 'custom'], 'Id');
  return chosen === 'custom' ? item.required('customPrimaryKey') : chosen;
}

/** The parameter, or the item's field. */
function idOf(item: ServiceItem): string {
  const { json = {} } = item.context.items()[item.index] ?? {};
  const own = ownProperty(json, keyOf(item));
  const id = item.text('id') || (own === undefined || own === null ? '' : asText(own));
  if (id !== '') return id;
  throw item.error('the parameter "id" is required', 'Set it to the ID of the row, such as {{ $json.Id }}');
}

function rowOf(item: ServiceItem): JsonObject {
  const kind = choiceParameter(item.context, 'dataToSend', item.index, ['defineBelow', 'autoMapInputData'], 'defineBelow');
  if (kind === 'defineBelow') {
    const values = item.entries('fieldsUi.fieldValues');
    if (values.some(({ binaryData }) => binaryData === true))
      throw item.error('files cannot be written yet', 'Upload the file elsewhere, and write its address');
    return Object.fromEntries(
      values.map(({ fieldName = '', fieldValue = null }): [string, JsonValue] => [asText(fieldName), fieldValue]),
    );
  }
  const { json = {} } = item.context.items()[item.index] ?? {};
  const ignored = new Set(namesParameter(item.context, 'inputsToIgnore', item.index));
  return Object.fromEntries(
    Object.keys(json).flatMap((name): [string, JsonValue][] =>
      ignored.has(name) ? [] : [[name, ownProperty(json, name) ?? null]],
    ),
  );
}

/** Version 3 returns only the ID. */
function merged(body: JsonValue | undefined, values: JsonObject): JsonValue {
  const [first] = [body ?? {}].flat();
  return { ...values, ...(isJsonObject(first) && first) };
}

function queryOf(item: ServiceItem): JsonObject {
  const { viewId, where: condition } = item.fields('options');
  const chosen = namesParameter(item.context, 'options.fields', item.index);
  const sort = item
    .entries('options.sort.property')
    .map(({ field = '', direction = 'asc' }) => `${direction === 'desc' ? '-' : ''}${field}`);
  return {
    ...(viewId !== undefined && { viewId }),
    ...(condition !== undefined && { where: condition }),
    ...(chosen.length > 0 && { fields: chosen.join() }),
    ...(sort.length > 0 && { sort: sort.join() }),
  };
}
