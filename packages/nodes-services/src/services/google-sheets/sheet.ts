import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { atLeast, choice, choiceParameter, choices, number, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { columnIndex, columnLetters, rangeIn } from '../../shared/a1.ts';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { changeDocument, clearRange } from './google-sheets-client.ts';
import {
  appendColumns,
  documentProperty,
  filters,
  matchColumns,
  newSheetOptions,
  readOptions,
  target,
  writeOptions,
} from './google-sheets-properties.ts';
import { read } from './read-rows.ts';
import { documentOf, SheetFinder, type SheetTarget } from './sheet-target.ts';
import { append, update } from './write-rows.ts';

const clearKinds = ['wholeSheet', 'specificRows', 'specificColumns', 'specificRange'] as const;
const startRow = (fallback: number, more: ReturnType<typeof where>) =>
  atLeast(1, number('startIndex', 'Start Row Number', fallback, 'First row, from 1', more));
const startColumn = (more: ReturnType<typeof where>) =>
  text('startIndex', 'Start Column', 'Letter of the first column', { default: 'A', ...more });
const amount = (name: string, displayName: string, more: ReturnType<typeof where> = { displayOptions: { show: {} } }) =>
  atLeast(1, number(name, displayName, 1, 'How many', more));

export const sheet: Resource = {
  displayName: 'Sheet Within Document',
  initial: 'read',
  operations: {
    append: {
      displayName: 'Append Row',
      description: 'Adds a row for each item, below the last one',
      properties: [...target, ...appendColumns, writeOptions],
      runAll: append,
    },
    appendOrUpdate: {
      displayName: 'Append or Update Row',
      description: 'Changes the matching row, or adds a row',
      properties: [...target, ...matchColumns, writeOptions],
      runAll: (items) => update(items, true),
    },
    clear: {
      displayName: 'Clear',
      description: 'Removes the content of a sheet, or of a part of it',
      properties: [
        ...target,
        choice(
          'clear',
          'Clear',
          choices(
            ['wholeSheet', 'Whole Sheet'],
            ['specificRows', 'Specific Rows'],
            ['specificColumns', 'Specific Columns'],
            ['specificRange', 'Specific Range'],
          ),
        ),
        toggle('keepFirstRow', 'Keep First Row', 'Whether the names of the columns stay', where({ clear: ['wholeSheet'] })),
        startRow(1, where({ clear: ['specificRows'] })),
        amount('rowsToDelete', 'Number of Rows to Clear', where({ clear: ['specificRows'] })),
        startColumn(where({ clear: ['specificColumns'] })),
        amount('columnsToDelete', 'Number of Columns to Clear', where({ clear: ['specificColumns'] })),
        text('range', 'Range', 'A1 notation', { default: 'A:F', ...where({ clear: ['specificRange'] }) }),
      ],
      run: clear,
    },
    create: {
      displayName: 'Create',
      description: 'Adds a sheet to a document',
      properties: [documentProperty, text('title', 'Title', 'Title of the sheet', { required: true }), newSheetOptions],
      run: (item) => addSheet(item, documentOf(item), { title: item.required('title'), ...item.fields('options') }),
    },
    delete: {
      displayName: 'Delete Rows or Columns',
      description: 'Removes rows or columns; later ones move up',
      properties: [
        ...target,
        choice('toDelete', 'To Delete', choices(['rows', 'Rows'], ['columns', 'Columns'])),
        startRow(2, where({ toDelete: ['rows'] })),
        startColumn(where({ toDelete: ['columns'] })),
        amount('numberToDelete', 'Number to Delete'),
      ],
      run: deleteDimension,
    },
    read: {
      displayName: 'Get Row(s)',
      description: 'Returns rows, with the column names as fields',
      properties: [...target, ...filters, ...readOptions],
      runAll: read,
    },
    remove: {
      displayName: 'Delete',
      description: 'Removes a sheet from a document',
      properties: target,
      async run(item) {
        const { documentId, sheetId } = await new SheetFinder().find(item);
        await changeDocument(item, documentId, [{ deleteSheet: { sheetId } }]);
        return { success: true };
      },
    },
    update: {
      displayName: 'Update Row',
      description: 'Changes the row that matches',
      properties: [...target, ...matchColumns, writeOptions],
      runAll: (items) => update(items, false),
    },
  },
};

/** Adds a sheet to a document; resolves to its properties. */
export async function addSheet(
  item: ServiceItem,
  documentId: string,
  { tabColor, ...options }: JsonObject,
): Promise<JsonObject> {
  const properties = { ...options, ...colorOf(tabColor) };
  const [reply = {}] = await changeDocument(item, documentId, [{ addSheet: { properties } }]);
  return { spreadsheetId: documentId, ...objectOf(objectOf(reply['addSheet'])['properties']) };
}

async function clear(item: ServiceItem): Promise<JsonValue> {
  const sheetTarget = await new SheetFinder().find(item);
  const range = clearedRange(item, sheetTarget);
  if (range !== undefined) await clearRange(item, sheetTarget.documentId, rangeIn(sheetTarget.title, range));
  return { success: true };
}

/** A1 notation; empty: the whole sheet; `undefined`: there is nothing to clear. */
function clearedRange(item: ServiceItem, { rowCount }: SheetTarget): string | undefined {
  switch (choiceParameter(item.context, 'clear', item.index, clearKinds, 'wholeSheet')) {
    case 'specificRows': {
      const start = item.number('startIndex', 1);
      return `${start}:${start + item.number('rowsToDelete', 1) - 1}`;
    }
    case 'specificColumns': {
      const start = columnOf(item);
      return `${columnLetters(start)}:${columnLetters(start + item.number('columnsToDelete', 1) - 1)}`;
    }
    case 'specificRange':
      return item.text('range', 'A:F');
    default:
      if (!item.toggle('keepFirstRow')) return '';
      return rowCount > 1 ? `2:${rowCount}` : undefined;
  }
}

async function deleteDimension(item: ServiceItem): Promise<JsonValue> {
  const { documentId, sheetId } = await new SheetFinder().find(item);
  const isRows = choiceParameter(item.context, 'toDelete', item.index, ['rows', 'columns'], 'rows') === 'rows';
  const startIndex = isRows ? item.number('startIndex', 2) - 1 : columnOf(item);
  const range = {
    sheetId,
    dimension: isRows ? 'ROWS' : 'COLUMNS',
    startIndex,
    endIndex: startIndex + item.number('numberToDelete', 1),
  };
  await changeDocument(item, documentId, [{ deleteDimension: { range } }]);
  return { success: true };
}

function columnOf(item: ServiceItem): number {
  const letters = item.text('startIndex', 'A').trim();
  if (/^[A-Za-z]{1,3}$/.test(letters)) return columnIndex(letters);
  throw item.error('the start column is not a column', 'Set it to the letters of a column, such as A or AB');
}

/** `0aa55c` as shares of red, green, and blue. */
function colorOf(value: JsonValue | undefined): { tabColor?: JsonObject } {
  const [, red, green, blue] = /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(asText(value ?? '')) ?? [];
  const share = (hex = ''): number => Number.parseInt(hex, 16) / 255;
  return red === undefined ? {} : { tabColor: { red: share(red), green: share(green), blue: share(blue) } };
}
