import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { collection, names, options, text, toggle, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, locatedValue } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { flat, pagesOf, sortQuery, tablePath } from './airtable-client.ts';
import {
  baseOf,
  columnsProperty,
  listProperties,
  mapped,
  recordId,
  sortProperty,
  tableOf,
  tableProperties,
  typecast,
} from './airtable-properties.ts';
import { legacyFields, mappedFields, ownId } from './record-fields.ts';
import { updateMatches, upsertByFields } from './record-matches.ts';
import { writeRecord } from './write-record.ts';

const ignoreFields = names('ignoreFields', 'Ignore From Input', 'Fields of the item that are not written');
const updateAll = toggle(
  'updateAllMatches',
  'Update All Matches',
  'Whether to change all records that match, not only the first',
);
const writeOptions = options([typecast, ignoreFields]);
const fieldNames = names('fields', 'Fields', 'Names of the fields to write', {
  displayOptions: { show: { addAllFields: [false] } },
});

export const record: Resource = {
  displayName: 'Record',
  initial: 'get',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a record',
      properties: [...tableProperties, recordId],
      async run(item) {
        const response = await item.send({ path: tablePath(baseOf(item), tableOf(item), item.required('id')) });
        return item.version === 1 || !isJsonObject(response) ? response : flat(response);
      },
    },
    search: {
      displayName: 'Search',
      description: 'Finds records by a formula, or lists all',
      versions: mapped,
      properties: [
        ...tableProperties,
        text(
          'filterByFormula',
          'Filter By Formula',
          'A formula that is true for the records to return, such as `{Name}="Ada"`',
        ),
        ...listProperties,
        options([
          names('fields', 'Output Fields', 'Names of the fields to return; default: all'),
          text('view', 'View', 'Only records of this view, in its order: name or ID'),
        ]),
        sortProperty(),
      ],
      run: async (item) => {
        const { fields, view } = item.fields('options');
        const query = {
          filterByFormula: item.text('filterByFormula'),
          'fields[]': fieldList(fields),
          view: locatedValue(view),
        };
        return (await listed(item, { ...query, ...sortQuery(item.entries('sort.property')) })).map(flat);
      },
    },
    list: {
      displayName: 'List',
      description: 'Lists records',
      versions: [1],
      properties: [
        ...tableProperties,
        ...listProperties,
        collection('additionalOptions', 'Additional Options', [
          names('fields', 'Fields', 'Names of the fields to return; default: all'),
          text('filterByFormula', 'Filter By Formula', 'A formula that is true for the records to return'),
          sortProperty(),
          text('view', 'View', 'Only records of this view, in its order: name or ID'),
        ]),
      ],
      run: (item) => {
        const { fields, filterByFormula = '', view } = item.fields('additionalOptions');
        const sort = sortQuery(item.entries('additionalOptions.sort.property'));
        return listed(item, { filterByFormula, 'fields[]': fieldList(fields), view: locatedValue(view), ...sort });
      },
    },
    create: {
      displayName: 'Create',
      description: 'Creates a record',
      versions: mapped,
      properties: [...tableProperties, columnsProperty, writeOptions],
      run: (item) => writeRecord(item, { fields: mappedFields(item).fields }),
    },
    append: {
      displayName: 'Append',
      description: 'Creates a record',
      versions: [1],
      properties: [
        ...tableProperties,
        toggle('addAllFields', 'Add All Fields', 'Whether to write all fields of the item', { default: true }),
        fieldNames,
        writeOptions,
      ],
      run: (item) => writeRecord(item, { fields: legacyFields(item, item.toggle('addAllFields', true)) }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a record',
      properties: [
        ...tableProperties,
        { ...recordId, ...when([1]) },
        toggle('updateAllFields', 'Update All Fields', 'Whether to write all fields of the item', {
          default: true,
          ...when([1]),
        }),
        names('fields', 'Fields', 'Names of the fields to write', when([1], { updateAllFields: [false] })),
        columnsProperty,
        options([typecast, ignoreFields, { ...updateAll, ...when(mapped) }]),
      ],
      run(item) {
        if (item.version === 1)
          return writeRecord(item, {
            id: item.required('id'),
            fields: legacyFields(item, item.toggle('updateAllFields', true)),
          });
        const { fields, id, matching } = mappedFields(item);
        return matching.length > 0 ? updateMatches(item, fields, matching) : writeRecord(item, { id: ownId(item, id), fields });
      },
    },
    upsert: {
      displayName: 'Create or Update',
      description: 'Changes the matching record, or creates a record',
      versions: mapped,
      properties: [...tableProperties, columnsProperty, options([typecast, ignoreFields, updateAll])],
      run(item) {
        const { fields, id, matching } = mappedFields(item);
        if (matching.length > 0) return upsertByFields(item, fields, matching);
        return writeRecord(item, { ...(id !== undefined && { id }), fields });
      },
    },
    deleteRecord: {
      displayName: 'Delete',
      description: 'Deletes a record',
      versions: mapped,
      properties: [...tableProperties, recordId],
      run: deleteRecord,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a record',
      versions: [1],
      properties: [...tableProperties, recordId],
      run: deleteRecord,
    },
  },
};

function deleteRecord(item: ServiceItem): Promise<JsonValue | undefined> {
  return item.send({ method: 'DELETE', path: tablePath(baseOf(item), tableOf(item), item.required('id')) });
}

/** Airtable returns at most 100 records at a time. */
function listed(item: ServiceItem, query: Record<string, JsonValue | undefined>): Promise<JsonObject[]> {
  const limit = item.toggle('returnAll', true) ? Number.POSITIVE_INFINITY : item.number('limit', 100);
  const sized = { ...query, pageSize: asText(Math.min(limit, 100)) };
  return item.list({ path: tablePath(baseOf(item), tableOf(item)), query: sized }, pagesOf('records'), limit);
}

/** Field names: a list, or a comma-separated string. */
function fieldList(value: JsonValue | undefined): JsonValue[] {
  const listedNames = typeof value === 'string' ? value.split(',') : [value ?? []].flat();
  return listedNames.map((name) => (typeof name === 'string' ? name.trim() : name)).filter((name) => name !== '');
}
