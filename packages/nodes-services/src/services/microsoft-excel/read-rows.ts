import { isJsonObject, type JsonObject, type JsonValue, mapSliced, ownProperty } from '@sluice/node-sdk';
import { columnNames } from '../../shared/cells.ts';
import { asText, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { paged, type Row, rangePath, readCells, selected, sheetPath, skipPages, tablePath } from './excel-client.ts';
import { fieldsOf, isRawOf, rangeOf, rawItem } from './excel-properties.ts';

/** Rows in a worksheet. `keyRow` and `dataStartRow` are 0-based, within the range. */
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

/** Rows in a table, up to `limit`. */
export async function readTable(item: ServiceItem, limit: number): Promise<JsonObject | JsonObject[]> {
  const request = { path: `${tablePath(item)}/rows` };
  if (isRawOf(item)) {
    const rows = await item.list(paged({ ...request, query: selected(fieldsOf(item)) }, limit), skipPages, limit);
    return rawItem(item, rows) ?? {};
  }
  const names = await tableColumns(item);
  const isWanted = filterOf(item, names);
  const rows = isWanted
    ? await item.listWhere(paged(request, Number.POSITIVE_INFINITY), skipPages, (row) =>
        isWanted(objectFrom(names, rowIn(row))),
      )
    : await item.list(paged(request, limit), skipPages, limit);
  return objectsFrom(names, await mapSliced(rows.slice(0, limit), rowIn));
}

/** A table row has `values: [[…]]`. */
function rowIn({ values }: JsonObject): Row {
  const [first] = Array.isArray(values) ? values : [];
  return Array.isArray(first) ? first : [];
}

/** A table's column names, in order. */
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
  return entries.flatMap(({ column = '', value = '' }) => (column === '' ? [] : [[asText(column), asText(value)]]));
}

/** The condition from the filters; `undefined` without filters. */
function filterOf(item: ServiceItem, names: readonly string[]): ((row: JsonObject) => boolean) | undefined {
  const filters = filtersOf(item);
  if (filters.length === 0) return undefined;
  for (const [column] of filters) assertColumn(item, names, column);
  const isAny = item.text('combineFilters', 'AND') === 'OR';
  const isMatch = (row: JsonObject, [column, value]: [string, string]) => asText(ownProperty(row, column)) === value;
  return (row) => (isAny ? filters.some((one) => isMatch(row, one)) : filters.every((one) => isMatch(row, one)));
}

async function filtered(item: ServiceItem, names: readonly string[], rows: JsonObject[]): Promise<JsonObject[]> {
  const isWanted = filterOf(item, names);
  if (!isWanted) return rows;
  const verdicts = await mapSliced(rows, isWanted);
  return rows.filter((_, index) => verdicts[index]);
}

export function assertColumn(item: ServiceItem, names: readonly string[], column: string): void {
  if (names.includes(column)) return;
  const quotedNames = names.slice(0, 10).map((name) => `"${name}"`);
  throw item.error(
    `there is no column "${column}"`,
    quotedNames.length === 0 ? 'The header row is empty' : `The columns are ${quotedNames.join(', ')}`,
  );
}

/** The table rows that have a value in a column; only the first row unless `returnAllMatches`. */
export async function lookup(item: ServiceItem): Promise<JsonObject[]> {
  const column = item.required('lookupColumn');
  const wanted = asText(item.context.parameter<JsonValue>('lookupValue', item.index));
  const names = await tableColumns(item);
  assertColumn(item, names, column);
  const request = paged({ path: `${tablePath(item)}/rows` }, Number.POSITIVE_INFINITY);
  const index = names.indexOf(column);
  const records = await item.listWhere(request, skipPages, (row) => asText(rowIn(row)[index]) === wanted);
  const matches = item.toggle('options.returnAllMatches') ? records : records.slice(0, 1);
  return objectsFrom(names, await mapSliced(matches, rowIn));
}
