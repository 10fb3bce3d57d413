import { type JsonObject, type JsonValue, mapSliced, TimeSlice } from '@sluice/node-sdk';
import { rangeIn, startOf } from '../../shared/a1.ts';
import { columnNames, isEmptyRow } from '../../shared/cells.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem, ServiceNode } from '../../shared/service-item.ts';
import { type Rendering, type Row, readRows } from './google-sheets-client.ts';
import { rowNumber } from './header.ts';
import { RecordIndex } from './record-index.ts';
import { SheetFinder } from './sheet-target.ts';

interface Table {
  names: readonly string[];
  records: readonly JsonObject[];
}

interface IndexedTable {
  names: ReadonlySet<string>;
  records: readonly JsonObject[];
  index: RecordIndex;
}

/** Location of the table in the sheet. */
interface Location {
  /** A1 notation; empty: the whole sheet. */
  range: string;
  /** 1-based, within the sheet. */
  headerRow: number;
  firstDataRow: number;
  untilEmptyRow: boolean;
}

/** Maximum total number of rows returned for a run's items. */
const maxRows = 1_000_000;

/** The rows of a sheet for each item, filtered; items with the same query share one request. */
export async function read(items: readonly ServiceItem[]): Promise<JsonObject[][]> {
  const finder = new SheetFinder();
  const tables = new Map<string, Promise<IndexedTable>>();
  const produced: JsonObject[][] = [];
  const slice = new TimeSlice();
  let count = 0;
  for (const item of items) {
    if (slice.isOver) await slice.next();
    const { documentId, title } = await finder.find(item);
    const [location, rendering] = [locationOf(item), renderingOf(item)];
    const key = JSON.stringify([documentId, title, location, rendering]);
    const table = tables.get(key) ?? indexed(readTable(item, documentId, title, location, rendering));
    tables.set(key, table);
    const matches = await filtered(item, await table);
    count += matches.length;
    if (count > maxRows)
      throw item.error(`the items read more than ${maxRows} rows in total`, 'Use fewer items, or filter the rows');
    produced.push(matches);
  }
  return produced;
}

async function indexed(reading: Promise<Table>): Promise<IndexedTable> {
  const { names, records } = await reading;
  return { names: new Set(names), records, index: new RecordIndex(records) };
}

export async function readTable(
  item: ServiceNode,
  documentId: string,
  title: string,
  { range, headerRow, firstDataRow, untilEmptyRow }: Location,
  rendering: Rendering,
): Promise<Table> {
  const rows = await readRows(item, documentId, rangeIn(title, range), rendering);
  const start = startOf(range);
  const names = columnNames(rows[headerRow - 1 - start.row] ?? [], start.column);
  const skipped = Math.max(0, firstDataRow - 1 - start.row);
  const data = rows.slice(skipped);
  const end = untilEmptyRow ? data.findIndex(isEmptyRow) : -1;
  const tableRows = end === -1 ? data : data.slice(0, end);
  const records = await mapSliced(tableRows, (row, index) =>
    isEmptyRow(row) ? undefined : recordOf(row, names, start.row + skipped + index + 1, start.column),
  );
  return { names, records: records.filter((record) => record !== undefined) };
}

function recordOf(row: Row, names: readonly string[], number: number, offset: number): JsonObject {
  const entries: [string, JsonValue][] = [[rowNumber, number]];
  for (let index = 0; index < Math.max(names.length, row.length); index++)
    entries.push([names[index] ?? `col_${offset + index + 1}`, row[index] ?? '']);
  return Object.fromEntries(entries);
}

async function filtered(item: ServiceItem, { names, records, index }: IndexedTable): Promise<JsonObject[]> {
  const filters = item.entries('filtersUI.values').filter(({ lookupColumn = '' }) => lookupColumn !== '');
  if (filters.length === 0) return [...records];
  const wanted = filters.map(({ lookupColumn = '', lookupValue = '' }): [string, string] => [
    asText(lookupColumn),
    asText(lookupValue),
  ]);
  for (const [column] of wanted)
    if (column !== rowNumber && !names.has(column))
      throw item.error(`the sheet has no column "${column}" to filter by`, 'Check the name of the column in the header row');
  const isAny = item.text('combineFilters', item.version < 4.3 ? 'OR' : 'AND') === 'OR';
  return index.find(wanted, { isAny, isFirstOnly: isFirstOnly(item) });
}

/** Before version 4.5, the first match was the default. */
function isFirstOnly(item: ServiceItem): boolean {
  return item.version < 4.5
    ? item.text('options.returnAllMatches', 'returnFirstMatch') === 'returnFirstMatch'
    : item.toggle('options.returnFirstMatch');
}

export function locationOf(item: ServiceNode): Location {
  const at = 'options.dataLocationOnSheet.values';
  const definition = item.text(`${at}.rangeDefinition`, 'detectAutomatically');
  const untilEmptyRow = item.text(`${at}.readRowsUntil`) === 'firstEmptyRow';
  if (definition === 'specifyRangeA1') {
    const range = item.text(`${at}.range`);
    const { row } = startOf(range);
    return { range, headerRow: row + 1, firstDataRow: row + 2, untilEmptyRow };
  }
  if (definition !== 'specifyRange') return { range: '', headerRow: 1, firstDataRow: 2, untilEmptyRow };
  const headerRow = item.number(`${at}.headerRow`, 1);
  return { range: '', headerRow, firstDataRow: item.number(`${at}.firstDataRow`, 2), untilEmptyRow };
}

function renderingOf(item: ServiceItem): Rendering {
  return {
    valueRenderOption: item.text('options.outputFormatting.values.general', 'UNFORMATTED_VALUE'),
    dateTimeRenderOption: item.text('options.outputFormatting.values.date', 'FORMATTED_STRING'),
  };
}
