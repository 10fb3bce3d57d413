import { type JsonObject, type JsonValue, type NodeProperty, TimeSlice } from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, number, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { FileItem } from '../../shared/file-item.ts';
import { asText, locatedValue } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { changeDocument, clearRange } from './google-sheets-client.ts';
import { documentIdOf, RangeTable, rangeOf } from './range-table.ts';
import { appendItems, updateItems } from './range-writes.ts';
import { addSheet } from './sheet.ts';
import { spreadsheet } from './spreadsheet.ts';

const documentId = text('sheetId', 'Spreadsheet ID', 'ID of the document, or its URL', { required: true });
const range = text('range', 'Range', 'A1 notation, such as `A:F`, or `People!A2:F` for another sheet than the first one', {
  default: 'A:F',
  required: true,
});
const rawData = toggle('rawData', 'RAW Data', 'Whether items hold lists of rows instead of fields named by the header');
const dataProperty = text('dataProperty', 'Data Property', 'Field of the item with the rows', {
  default: 'data',
  ...where({ rawData: [true] }),
});
const keyRow = atLeast(0, number('keyRow', 'Key Row', 0, 'Row of the range with the names of the columns, from 0'));
const dataStartRow = atLeast(0, number('dataStartRow', 'Data Start Row', 1, 'First row of the range with data, from 0'));
const parsed = where({ rawData: [false] });
/** Location of rows, and their content. */
const rows = [documentId, range, rawData, dataProperty, { ...dataStartRow, ...parsed }, { ...keyRow, ...parsed }];
const sheetChoice = (name: string, displayName: string): NodeProperty =>
  text(name, displayName, 'ID of the sheet', { required: true, typeOptions: { loadOptionsMethod: 'getSheets' } });

const continues = toggle(
  'continue',
  'Continue If Empty',
  'Whether the workflow continues with an empty item if nothing is found',
);
const allMatches = toggle(
  'returnAllMatches',
  'Return All Matches',
  'Whether to return all rows that match instead of the first',
);
const renderMode = choice(
  'valueRenderMode',
  'Value Render Mode',
  choices(['FORMATTED_VALUE', 'Formatted Value'], ['FORMULA', 'Formula'], ['UNFORMATTED_VALUE', 'Unformatted Value']),
  { default: 'UNFORMATTED_VALUE', description: 'How values are returned' },
);
const inputMode = choice(
  'valueInputMode',
  'Value Input Mode',
  choices(['RAW', 'RAW', 'Values stay as they are'], ['USER_ENTERED', 'User Entered', 'As if a user had typed the values']),
);
const pathForKeyRow = toggle(
  'usePathForKeyRow',
  'Use Header Names as JSON Paths',
  'Whether a column `a.b` gets the field `b` of the object `a`',
);
const key = text('key', 'Key', 'Name of the column, and of the field, that finds the row', { default: 'id' });

const gridProperties = collection('gridProperties', 'Grid Properties', [
  atLeast(1, number('columnCount', 'Column Count', 26, 'Number of columns')),
  toggle('columnGroupControlAfter', 'Column Group Control After', 'Whether the control of column groups follows the group'),
  atLeast(0, number('frozenColumnCount', 'Frozen Column Count', 0, 'Number of columns that stay while scrolling')),
  atLeast(0, number('frozenRowCount', 'Frozen Row Count', 0, 'Number of rows that stay while scrolling')),
  toggle('hideGridlines', 'Hide Gridlines', 'Whether the lines between cells are hidden'),
  atLeast(1, number('rowCount', 'Row Count', 1000, 'Number of rows')),
  toggle('rowGroupControlAfter', 'Row Group Control After', 'Whether the control of row groups follows the group'),
]);

const dimension = [
  sheetChoice('sheetId', 'Sheet'),
  atLeast(0, number('startIndex', 'Start Index', 0, 'First one, from 0')),
  atLeast(1, number('amount', 'Amount', 1, 'How many')),
];
const toDelete: NodeProperty = {
  displayName: 'To Delete',
  name: 'toDelete',
  type: 'fixedCollection',
  default: {},
  description: 'The rows and columns',
  typeOptions: { multipleValues: true },
  options: [
    { name: 'columns', displayName: 'Columns', values: dimension },
    { name: 'rows', displayName: 'Rows', values: dimension },
  ],
};

/** The resource in the first versions: a part of a sheet, selected by a range. */
export const rangeSheet: Resource = {
  displayName: 'Sheet',
  initial: 'read',
  operations: {
    append: {
      displayName: 'Append',
      description: 'Adds a row for each item, below the last one',
      properties: [documentId, range, keyRow, options([pathForKeyRow, inputMode])],
      runAll: async (items) => {
        await appendItems(items);
        return items.map(passedOn);
      },
    },
    clear: {
      displayName: 'Clear',
      description: 'Removes the content of a range',
      properties: [documentId, range],
      runAll: async (items) => {
        const [item] = items as readonly [ServiceItem];
        await clearRange(item, documentIdOf(item), rangeOf(item));
        return items.map(passedOn);
      },
    },
    create: {
      displayName: 'Create',
      description: 'Adds a sheet to a document',
      properties: [
        documentId,
        toggle('simple', 'Simplify', 'Has no effect: the properties of the sheet are returned', { default: true }),
        options([
          gridProperties,
          toggle('hidden', 'Hidden', 'Whether the sheet is hidden'),
          atLeast(0, number('index', 'Index', 0, 'Position among the sheets, from 0')),
          toggle('rightToLeft', 'Right to Left', 'Whether the sheet is laid out from right to left'),
          atLeast(0, number('sheetId', 'Sheet ID', 0, 'ID of the sheet; default: Google chooses one')),
          text('tabColor', 'Tab Color', 'Color of the tab, such as `0aa55c`'),
          text('title', 'Title', 'Title of the sheet; default: Google chooses one'),
        ]),
      ],
      run: (item) => addSheet(item, documentIdOf(item), item.fields('options')),
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes rows and columns; later ones move up',
      properties: [documentId, toDelete],
      runAll: async (items) => {
        const [item] = items as readonly [ServiceItem];
        const requests = [...deletionsOf(item, 'rows', 'ROWS'), ...deletionsOf(item, 'columns', 'COLUMNS')];
        if (requests.length > 0) await changeDocument(item, documentIdOf(item), requests);
        return items.map(passedOn);
      },
    },
    lookup: {
      displayName: 'Lookup',
      description: 'Returns the row with a value in a column',
      properties: [
        documentId,
        range,
        dataStartRow,
        keyRow,
        text('lookupColumn', 'Lookup Column', 'Name of the column', { required: true }),
        text('lookupValue', 'Lookup Value', 'Value that the row has in this column'),
        options([continues, allMatches, renderMode]),
      ],
      runAll: lookUp,
    },
    read: {
      displayName: 'Read',
      description: 'Returns rows, with the column names as fields; runs once for all items',
      properties: [...rows, options([continues, renderMode])],
      runAll: read,
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a sheet from a document',
      properties: [documentId, sheetChoice('id', 'Sheet ID')],
      async run(item) {
        await changeDocument(item, documentIdOf(item), [{ deleteSheet: { sheetId: sheetIdOf(item, item.required('id')) } }]);
        return { success: true };
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes the rows whose key equals the key of an item',
      properties: [...rows, { ...key, ...parsed }, options([inputMode])],
      runAll: async (items) => {
        await updateItems(items, false);
        return items.map(passedOn);
      },
    },
    upsert: {
      displayName: 'Create or Update',
      description: 'Changes the rows whose key equals the key of an item, and adds the other items',
      properties: [...rows, { ...key, ...parsed }, options([inputMode])],
      runAll: async (items) => {
        await updateItems(items, true);
        return items.map(passedOn);
      },
    },
  },
};

const { create } = spreadsheet.operations;
/** The first versions can only create documents. */
export const rangeSpreadsheet: Resource = { displayName: 'Spreadsheet', operations: { ...(create && { create }) } };

/** Operations that change a sheet return their input items. */
function passedOn({ context, index }: ServiceItem): FileItem {
  const { json = {}, binary = {} } = context.items()[index] ?? {};
  return new FileItem(json, binary);
}

/** Maximum total number of rows found for a run's items. */
const maxRows = 1_000_000;

async function lookUp(items: readonly ServiceItem[]): Promise<JsonObject[][]> {
  const [first] = items as readonly [ServiceItem];
  const table = await RangeTable.read(first);
  const produced: JsonObject[][] = [];
  const slice = new TimeSlice();
  let count = 0;
  for (const item of items) {
    if (slice.isOver) await slice.next();
    const column = item.required('lookupColumn');
    const value = item.context.parameter<JsonValue>('lookupValue', item.index);
    const matches = await table.find(item, column, value, item.toggle('options.returnAllMatches'));
    count += matches.length;
    if (count > maxRows)
      throw item.error(`the items find more than ${maxRows} rows in total`, 'Use fewer items, or return the first match only');
    produced.push(matches.length === 0 && item.toggle('options.continue') ? [{}] : matches);
  }
  return produced;
}

/** One read serves all items. */
async function read(items: readonly ServiceItem[]): Promise<JsonObject[][]> {
  const [item] = items as readonly [ServiceItem];
  if (item.toggle('rawData')) {
    return [[Object.fromEntries([[item.text('dataProperty', 'data'), await RangeTable.rows(item)]])]];
  }
  const { records } = await RangeTable.read(item);
  return [records.length === 0 && item.toggle('options.continue') ? [{}] : [...records]];
}

function deletionsOf(item: ServiceItem, path: string, dimension: 'ROWS' | 'COLUMNS'): JsonObject[] {
  return item.entries(`toDelete.${path}`).map(({ sheetId = '', startIndex = 0, amount = 1 }) => {
    const [start, count] = [Number(startIndex), Number(amount)];
    if (!Number.isInteger(start) || start < 0 || !Number.isInteger(count) || count < 1)
      throw item.error('the rows and columns to delete are not positive integers', 'Check the start index and the amount');
    const range = { sheetId: sheetIdOf(item, sheetId), dimension, startIndex: start, endIndex: start + count };
    return { deleteDimension: { range } };
  });
}

function sheetIdOf(item: ServiceItem, value: JsonValue): number {
  const [, digits] = /^(?:gid=)?(\d{1,10})$/.exec(asText(locatedValue(value)).trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw item.error('the sheet is not selected by its ID', 'Use the number after "gid=" in the URL of the sheet');
}
