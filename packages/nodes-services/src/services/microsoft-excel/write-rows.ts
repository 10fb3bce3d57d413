import { type JsonObject, type JsonValue, mapSliced, ownProperty, TimeSlice } from '@sluice/node-sdk';
import { cellOf, columnNames } from '../../shared/cells.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { readCells, sheetPath, tablePath, writeCells } from './excel-client.ts';
import { rangeOf, rawItem } from './excel-properties.ts';
import { objectFrom, objectsFrom, tableColumns } from './read-rows.ts';
import { CellBudget, Columns, cellsPerRequest, dataMode, rawRows, valuesOf } from './row-values.ts';
import { SheetRows } from './sheet-rows.ts';

interface Member {
  item: ServiceItem;
  index: number;
}

/** Items that write to one place, in order. */
async function groupBy(
  items: readonly ServiceItem[],
  placeOf: (item: ServiceItem) => string,
): Promise<[Member, ...Member[]][]> {
  const groups = new Map<string, [Member, ...Member[]]>();
  const slice = new TimeSlice();
  for (const [index, item] of items.entries()) {
    if (slice.isOver) await slice.next();
    const place = placeOf(item);
    const group = groups.get(place);
    if (group) group.push({ item, index });
    else groups.set(place, [{ item, index }]);
  }
  return [...groups.values()];
}

/** Adds a row for each item below a worksheet's last row. */
export async function appendToSheet(items: readonly ServiceItem[]): Promise<(JsonObject | JsonObject[])[]> {
  const produced: (JsonObject | JsonObject[])[] = [];
  for (const members of await groupBy(items, sheetPath)) {
    const [{ item: first }] = members;
    const rows = await SheetRows.read(first);
    const budget = new CellBudget();
    const added = await mapSliced(members, ({ item }) => addedRows(item, rows.columns, budget));
    for (const list of added) for (const row of list) rows.add(row);
    await rows.save(first);
    await show(members, rows.columns.names, added, produced);
  }
  return produced;
}

/** Sets the items' results: their rows, with the column names. */
async function show(
  members: readonly Member[],
  names: readonly string[],
  added: readonly JsonValue[][][],
  produced: (JsonObject | JsonObject[])[],
): Promise<void> {
  const slice = new TimeSlice();
  for (const [at, { index, item }] of members.entries()) {
    if (slice.isOver) await slice.next();
    const rows = added[at] ?? [];
    produced[index] =
      rawItem(item, rows) ?? (rows.length > 1 ? await objectsFrom(names, rows) : rows.map((row) => objectFrom(names, row)));
  }
}

function addedRows(item: ServiceItem, columns: Columns, budget: CellBudget): JsonValue[][] {
  if (dataMode(item) !== 'raw') return [columns.rowOf(item, valuesOf(item))];
  const rows = rawRows(item);
  for (const row of rows) budget.use(item, row.length);
  return rows.map((row) => row.map(cellOf));
}

/** Changes the rows that match each item; `isUpsert`: adds a row if no row matches. */
export async function updateSheet(items: readonly ServiceItem[], isUpsert: boolean): Promise<(JsonObject | JsonObject[])[]> {
  const produced: (JsonObject | JsonObject[])[] = [];
  for (const members of await groupBy(items, (item) => JSON.stringify([sheetPath(item), rangeOf(item), dataMode(item)]))) {
    const [{ item: first }] = members;
    if (dataMode(first) === 'raw') await overwrite(members, produced);
    else await updateMatching(members, isUpsert, produced);
  }
  return produced;
}

/** The rows in `data` replace the range, or the cells with values. */
async function overwrite(members: readonly Member[], produced: (JsonObject | JsonObject[])[]): Promise<void> {
  for (const { item, index } of members) {
    const { row, column, values: before } = await readCells(item, sheetPath(item), rangeOf(item));
    const rows = await mapSliced(rawRows(item), (cells) => cells.map(cellOf));
    const width = rows.reduce((most, cells) => Math.max(most, cells.length), 1);
    new CellBudget().use(item, width * rows.length);
    const values = await mapSliced(rows, (cells) => Array.from({ length: width }, (_, at) => cells[at] ?? null));
    await writeCells(item, sheetPath(item), { row, column, values });
    const [header = []] = values;
    const names = columnNames(
      header.map((cell, at) => cell ?? before[0]?.[at] ?? null),
      column,
    );
    produced[index] = rawItem(item, rows as JsonValue) ?? (await objectsFrom(names, values.slice(1)));
  }
}

async function updateMatching(
  members: readonly [Member, ...Member[]],
  isUpsert: boolean,
  produced: (JsonObject | JsonObject[])[],
): Promise<void> {
  const [{ item: first }] = members;
  const rows = await SheetRows.read(first, rangeOf(first));
  const indexes = new Map<string, Map<string, number[]>>();
  const missing: Member[] = [];
  const slice = new TimeSlice();
  for (const member of members) {
    if (slice.isOver) await slice.next();
    const { item, index } = member;
    const column = item.required('columnToMatchOn');
    const rowsByKey = indexes.get(column) ?? (await rows.index(item, column));
    indexes.set(column, rowsByKey);
    const values = matchedValues(item, column);
    const key = asText(ownProperty(values, column));
    const cells = rows.columns.rowOf(item, values);
    if (!rowsByKey.has(key)) {
      if (isUpsert) rowsByKey.set(key, [rows.add(cells)]);
      else missing.push(member);
    }
    const changed = (rowsByKey.get(key) ?? []).slice(0, item.toggle('options.updateAll') ? undefined : 1);
    const updated = await rows.changeAll(item, changed, cells);
    produced[index] = rawItem(item, updated) ?? updated;
  }
  await rows.save(first);
  if (missing.length > 0) noteMissing(missing);
}

/** An item's values, including the value for the column that identifies its row. */
function matchedValues(item: ServiceItem, column: string): JsonObject {
  const values = valuesOf(item);
  const rawValue = item.context.parameter<JsonValue>('valueToMatchOn', item.index) ?? '';
  const value = dataMode(item) === 'define' && rawValue !== '' ? rawValue : ownProperty(values, column);
  if (value !== undefined && value !== null && value !== '') return { ...values, [column]: value };
  throw item.error(`the column "${column}" has no value to match`, 'Set a value, or choose another "Column to Match On"');
}

function noteMissing(missing: readonly Member[]): void {
  const [{ item, index }] = missing as readonly [Member];
  const which = missing.length === 1 ? `item ${index}` : `${missing.length} items, the first of which is item ${index}`;
  item.context.addHints?.({
    message: `No row matches ${which}, so nothing was changed for it. "Append or Update" would add a row.`,
  });
}

/**
 * Adds a row for each item to a table: https://learn.microsoft.com/graph/api/tablerowcollection-add
 */
export async function appendToTable(items: readonly ServiceItem[]): Promise<(JsonObject | JsonObject[])[]> {
  const produced: (JsonObject | JsonObject[])[] = [];
  for (const members of await groupBy(items, (item) => JSON.stringify([tablePath(item), positionOf(item)]))) {
    const [{ item: first }] = members;
    const columns = new Columns(await tableColumns(first));
    const budget = new CellBudget();
    const added = await mapSliced(members, ({ item }) => addedRows(item, columns, budget));
    await addTableRows(first, columns.names.length, added.flat());
    await show(members, columns.names, added, produced);
  }
  return produced;
}

/** Position of the new rows, 0-based; `null`: at the end. */
function positionOf(item: ServiceItem): number | null {
  const path = item.version < 2 ? 'additionalFields.index' : 'options.index';
  const index = item.number(path, -1);
  return index < 0 ? null : index;
}

async function addTableRows(item: ServiceItem, width: number, rows: readonly JsonValue[][]): Promise<void> {
  const size = Math.max(1, Math.floor(cellsPerRequest / Math.max(1, width)));
  const position = positionOf(item);
  for (let start = 0; start < rows.length; start += size) {
    const values = rows.slice(start, start + size);
    const index = position === null ? null : position + start;
    await item.send({ path: `${tablePath(item)}/rows/add`, json: { index, values } });
  }
}
