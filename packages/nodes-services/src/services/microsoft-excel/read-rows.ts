import { isJsonObject, type JsonObject, type JsonValue, mapSliced, ownProperty } from '@sluice/node-sdk';
import { cellText, columnNames } from '../../shared/cells.ts';
import { objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { paged, type Row, rangePath, readCells, selected, sheetPath, skipPages, tablePath } from './excel-client.ts';
import { fieldsOf, isRawOf, rangeOf, rawItem } from './excel-properties.ts';

/** Rows of a worksheet. `keyRow` and `dataStartRow` count from 0, within the range. */
export async function readSheet(
  item: ServiceItem,
  address = rangeOf(item),
  [keyRow, dataStartRow] = [item.number('keyRow', 0), item.number('dataStartRow', 1)],
): Promise<JsonObject | JsonObject[]> {
  const { path, query } = { path: sheetPath(item), query: selected(fieldsOf(item)) };
  if (isRawOf(item)) return rawSheet(item, path, address, query);
  const { values, column } = await readCells(item, path, address);
  const names = columnNames(values[Math.max(0, keyRow)] ?? [], column);
  return filtered(item, names, await objectsFrom(names, values.slice(Math.max(0, dataStartRow))));
}

async function rawSheet(item: ServiceItem, sheet: string, address: string, query: JsonObject): Promise<JsonObject> {
  const body = await item.send({ path: rangePath(sheet, address), query });
  return rawItem(item, body) ?? {};
}

/** Rows of a table, up to `limit`. */
export async function readTable(item: ServiceItem, limit: number): Promise<JsonObject | JsonObject[]> {
  const request = { path: `${tablePath(item)}/rows` };
  if (isRawOf(item)) {
    const rows = await item.list(paged({ ...request, query: selected(fieldsOf(item)) }, limit), skipPages, limit);
    return rawItem(item, rows) ?? {};
  }
  const names = await tableColumns(item);
  const isFiltered = filtersOf(item).length > 0;
  const most = isFiltered ? Number.POSITIVE_INFINITY : limit;
  const rows = await item.list(paged(request, most), skipPages, most);
  const found = await filtered(item, names, await objectsFrom(names, await mapSliced(rows, rowIn)));
  return isFiltered ? found.slice(0, limit) : found;
}

/** A row of a table has `values: [[…]]`. */
function rowIn({ values }: JsonObject): Row {
  const [first] = Array.isArray(values) ? values : [];
  return Array.isArray(first) ? first : [];
}

/** Names of the columns of a table, in their order. */
export async function tableColumns(item: ServiceItem, path = tablePath(item)): Promise<string[]> {
  const request = { path: `${path}/columns`, query: { $select: 'name' } };
  const columns = await item.list(paged(request, Number.POSITIVE_INFINITY), skipPages, Number.POSITIVE_INFINITY);
  return columnNames(columns.map(({ name = '' }) => name));
}

export const objectsFrom = (names: readonly string[], rows: readonly Row[]): Promise<JsonObject[]> =>
  mapSliced(rows, (row) => objectFrom(names, row));

export function objectFrom(names: readonly string[], row: Row): JsonObject {
  return Object.fromEntries(names.map((name, index): [string, JsonValue] => [name, row[index] ?? '']));
}

function filtersOf(item: ServiceItem): [column: string, value: string][] {
  const filters = item.context.parameter<JsonValue>('filters', item.index) ?? {};
  const entries = objectsOf(isJsonObject(filters) ? [filters['fields'] ?? []].flat() : []);
  return entries.flatMap(({ column = '', value = '' }) => (column === '' ? [] : [[String(column), cellText(value)]]));
}

async function filtered(item: ServiceItem, names: readonly string[], rows: JsonObject[]): Promise<JsonObject[]> {
  const filters = filtersOf(item);
  if (filters.length === 0) return rows;
  for (const [column] of filters) assertColumn(item, names, column);
  const isAny = item.text('combineFilters', 'AND') === 'OR';
  const isMatch = (row: JsonObject, [column, value]: [string, string]) => cellText(ownProperty(row, column)) === value;
  const kept = await mapSliced(rows, (row) =>
    isAny ? filters.some((one) => isMatch(row, one)) : filters.every((one) => isMatch(row, one)),
  );
  return rows.filter((_, index) => kept[index]);
}

export function assertColumn(item: ServiceItem, names: readonly string[], column: string): void {
  if (names.includes(column)) return;
  const known = names.slice(0, 10).map((name) => `"${name}"`);
  throw item.error(
    `there is no column "${column}"`,
    known.length === 0 ? 'The header row is empty' : `The columns are ${known.join(', ')}`,
  );
}

/** The rows of a table that have a value in a column; only the first one unless `returnAllMatches`. */
export async function lookup(item: ServiceItem): Promise<JsonObject[]> {
  const column = item.required('lookupColumn');
  const wanted = cellText(item.context.parameter<JsonValue>('lookupValue', item.index));
  const names = await tableColumns(item);
  assertColumn(item, names, column);
  const request = paged({ path: `${tablePath(item)}/rows` }, Number.POSITIVE_INFINITY);
  const rows = await item.list(request, skipPages, Number.POSITIVE_INFINITY);
  const index = names.indexOf(column);
  const cells = await mapSliced(rows, rowIn);
  const matches = cells.filter((row) => cellText(row[index]) === wanted);
  return objectsFrom(names, item.toggle('options.returnAllMatches') ? matches : matches.slice(0, 1));
}
