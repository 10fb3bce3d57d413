import { type JsonObject, mapSliced } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  number,
  options,
  text,
  toggle,
  when,
  where,
} from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { paged, rangePath, selected, sheetPath, skipPages, tablePath } from './excel-client.ts';
import {
  fieldsOf,
  firstVersion,
  inSheet,
  inTable,
  isRawOf,
  listProperties,
  locatorVersions,
  rawItem,
  rawOptions,
  rawParameters,
  rowFilters,
  rowValues,
} from './excel-properties.ts';
import { lookup, readTable } from './read-rows.ts';
import { appendToTable } from './write-rows.ts';

const position = atLeast(0, number('index', 'Index', 0, 'Position of the new row, from 0; default: at the end'));
const filtersOfFirst = rawParameters().map((property) =>
  property.name === 'filters' ? { ...property, ...when(firstVersion) } : property,
);

/** https://learn.microsoft.com/graph/api/resources/table */
export const table: Resource = {
  displayName: 'Table',
  operations: {
    append: {
      displayName: 'Append',
      description: 'Adds a row for each item',
      versions: locatorVersions,
      properties: [...inTable, ...rowValues(false), options([position, ...rawOptions.slice(0, 2)])],
      runAll: appendToTable,
    },
    addRow: {
      displayName: 'Add Row',
      description: 'Adds a row for each item; its fields have the column names',
      versions: firstVersion,
      properties: [...inTable, collection('additionalFields', 'Additional Fields', [position])],
      runAll: appendToTable,
    },
    convertToRange: {
      displayName: 'Convert to Range',
      description: 'Converts a table to ordinary cells',
      properties: inTable,
      run: (item) => item.send({ method: 'POST', path: `${tablePath(item)}/convertToRange` }),
    },
    addTable: {
      displayName: 'Create',
      description: 'Converts cells to a table',
      properties: [
        ...inSheet,
        choice(
          'selectRange',
          'Select Range',
          choices(['auto', 'Automatically', 'All cells with values'], ['manual', 'Manually']),
        ),
        text('range', 'Range', 'A1 notation, such as `A1:D5`', { required: true, ...where({ selectRange: ['manual'] }) }),
        toggle('hasHeaders', 'Has Headers', 'Whether the first row has the names of the columns', { default: true }),
      ],
      run: addTable,
    },
    deleteTable: {
      displayName: 'Delete',
      description: 'Deletes a table with its cells',
      properties: inTable,
      run: (item) => item.perform({ method: 'DELETE', path: tablePath(item) }),
    },
    getColumns: {
      displayName: 'Get Columns',
      description: 'Returns the values of columns, with their names as fields',
      properties: [...inTable, ...listProperties, ...rawParameters(), options(rawOptions)],
      run: columns,
    },
    getRows: {
      displayName: 'Get Rows',
      description: 'Returns rows, with the column names as fields',
      properties: [...inTable, ...listProperties, ...filtersOfFirst, ...rowFilters, options(rawOptions)],
      run: (item) => readTable(item, item.limit(100)),
    },
    lookup: {
      displayName: 'Lookup',
      description: 'Finds rows by the value of a column',
      properties: [
        ...inTable,
        text('lookupColumn', 'Lookup Column', 'Name of the column', { required: true }),
        text('lookupValue', 'Lookup Value', 'Value that the row has in this column'),
        options([toggle('returnAllMatches', 'Return All Matches', 'Whether to return all rows instead of the first one')]),
      ],
      run: lookup,
    },
  },
};

async function addTable(item: ServiceItem) {
  const isAutomatic = item.text('selectRange', 'auto') !== 'manual';
  const address = isAutomatic ? await usedAddress(item) : item.required('range');
  return item.send({
    path: `${sheetPath(item)}/tables/add`,
    json: { address, hasHeaders: item.toggle('hasHeaders', true) },
  });
}

async function usedAddress(item: ServiceItem): Promise<string> {
  const used = await item.send({ path: rangePath(sheetPath(item)), query: { $select: 'address' } });
  const address = typeof used === 'object' && used !== null && 'address' in used ? used['address'] : undefined;
  if (typeof address === 'string') return address.slice(address.lastIndexOf('!') + 1);
  throw item.error('the range of the worksheet is unknown', 'Choose to select the range manually');
}

async function columns(item: ServiceItem): Promise<JsonObject> {
  const limit = item.limit(100);
  const isRaw = isRawOf(item);
  const query = isRaw ? selected(fieldsOf(item)) : {};
  const records = await item.list(paged({ path: `${tablePath(item)}/columns`, query }, limit), skipPages, limit);
  if (isRaw) return rawItem(item, records) ?? {};
  const entries = await mapSliced(records, ({ name = '', values }): [string, JsonObject[string]] => [
    asText(name),
    Array.isArray(values) ? values.slice(1).map((cell) => (Array.isArray(cell) ? (cell[0] ?? null) : cell)) : [],
  ]);
  return Object.fromEntries(entries);
}
