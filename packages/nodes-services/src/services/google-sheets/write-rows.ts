import { type JsonObject, type JsonValue, mapSliced, TimeSlice } from '@sluice/node-sdk';
import { columnLetters, rangeIn, startOf } from '../../shared/a1.ts';
import { asText } from '../../shared/json-values.ts';
import { matchingValue } from '../../shared/mapped-columns.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { appendRows, type Cell, type Row, readRanges, type ValueInput, writeRanges } from './google-sheets-client.ts';
import { Header, locationRow, rowNumber } from './header.ts';
import { type RowRecord, rowRecord } from './row-record.ts';
import { groupByTarget, type SheetTarget, type TargetGroup } from './sheet-target.ts';

/** Rows per request: Google recommends at most 2 MB. */
const rowsPerRequest = 5_000;

interface Written {
  item: ServiceItem;
  index: number;
  record: RowRecord;
}

type RecordOf = (item: ServiceItem) => RowRecord;

const writtenOf = ({ members }: TargetGroup, recordOf: RecordOf = rowRecord): Promise<Written[]> =>
  mapSliced(members, ({ item, index }) => ({ item, index, record: recordOf(item) }));

/** Adds a row for each item. */
export async function append(items: readonly ServiceItem[]): Promise<JsonObject[]> {
  const produced: JsonObject[] = [];
  for (const group of await groupByTarget(items)) {
    const written = await writtenOf(group);
    const header = await Header.read(first(written), group.target);
    await addRows(header, group.target, written);
    for (const { index, record } of written) produced[index] = withoutRowNumber(record.values);
  }
  return produced;
}

/**
 * Changes the row that matches each item; `isUpsert`: adds a row if no row matches. `recordOf`: the
 * values of an item; default: those of its parameters.
 */
export async function update(items: readonly ServiceItem[], isUpsert: boolean, recordOf?: RecordOf): Promise<JsonObject[]> {
  const produced: JsonObject[] = [];
  for (const group of await groupByTarget(items)) {
    const written = await writtenOf(group, recordOf);
    const header = await Header.read(first(written), group.target);
    const rows = await RowIndex.read(group.target, header, written);
    const located = await mapSliced(written, (one) => ({ ...one, row: rows.find(one) }));
    await changeRows(header, group.target, located);
    const missing = located.filter(({ row }) => row === undefined);
    if (isUpsert) await addRows(header, group.target, await mergedByMatch(missing));
    else if (missing.length > 0) noteMissing(missing);
    for (const { index, record } of written) produced[index] = record.values;
  }
  return produced;
}

async function addRows(header: Header, target: SheetTarget, written: readonly Written[]): Promise<void> {
  const item = written[0]?.item;
  if (!item) return;
  const rows = await mapSliced(written, (one) => header.cellsOf(one.record.values, one.item));
  if (header.size === 0) return;
  const input = valueInput(item);
  await header.save(item, input);
  const { documentId, title } = target;
  const table = { documentId, rangeOf: (range: string) => rangeIn(title, range), row: header.row, column: 0 };
  await appendAligned(item, table, rows, input);
}

/** A table whose header starts in a row, 1-based, and a column, 0-based. */
export interface Table {
  documentId: string;
  row: number;
  column: number;
  /** A range in the sheet in A1 notation, with the sheet name. */
  rangeOf(range: string): string;
}

/** Adds rows of equal length below a table's last row. */
export async function appendAligned(item: ServiceItem, table: Table, rows: readonly Row[], input: ValueInput): Promise<void> {
  const last = columnLetters(table.column + (rows[0]?.length ?? 1) - 1);
  const range = table.rangeOf(`${columnLetters(table.column)}${table.row}:${last}`);
  for (let start = 0; start < rows.length; start += rowsPerRequest) {
    const slice = rows.slice(start, start + rowsPerRequest);
    await align(item, table, slice, input, await appendRows(item, table.documentId, range, input, slice));
  }
}

/**
 * The service adds rows below the last table in the range, which may start in another column than
 * the header if rows above are incomplete. Such rows are written again, from the first column.
 */
async function align(
  item: ServiceItem,
  { documentId, column: first, rangeOf }: Table,
  rows: readonly Row[],
  input: ValueInput,
  range: string,
): Promise<void> {
  const { row, column } = startOf(range);
  if (column <= first) return;
  const values = rows.map((cells) => [...cells.map((cell) => cell ?? ''), ...Array<Cell>(column - first).fill('')]);
  const last = columnLetters(first + (values[0]?.length ?? 1) - 1);
  await writeRanges(item, documentId, input, [
    { range: rangeOf(`${columnLetters(first)}${row + 1}:${last}${row + rows.length}`), values },
  ]);
}

async function changeRows(
  header: Header,
  target: SheetTarget,
  located: readonly (Written & { row: number | undefined })[],
): Promise<void> {
  const item = located[0]?.item;
  const changed = located.filter(({ row }) => row !== undefined);
  if (!item || changed.length === 0) return;
  const cells = await mapSliced(changed, (one) => header.cellsOf(one.record.values, one.item));
  const input = valueInput(item);
  await header.save(item, input);
  const last = columnLetters(header.size - 1);
  const data = changed.map(({ row }, index) => ({
    range: rangeIn(target.title, `A${row}:${last}${row}`),
    values: [cells[index] ?? []],
  }));
  await writeAll(item, target.documentId, input, data);
}

/** Overwrites ranges, in requests of a limited size. */
export async function writeAll(
  item: ServiceItem,
  documentId: string,
  input: ValueInput,
  data: readonly { range: string; values: readonly Row[] }[],
): Promise<void> {
  for (let start = 0; start < data.length; start += rowsPerRequest)
    await writeRanges(item, documentId, input, data.slice(start, start + rowsPerRequest));
}

/** Items in one run that match each other share a row: later items change it. */
async function mergedByMatch(written: readonly Written[]): Promise<Written[]> {
  const merged = new Map<string, Written>();
  const slice = new TimeSlice();
  for (const one of written) {
    if (slice.isOver) await slice.next();
    const key = keyOf(one);
    const before = merged.get(key)?.record.values;
    merged.set(key, { ...one, record: { ...one.record, values: { ...before, ...one.record.values } } });
  }
  return [...merged.values()];
}

const keyOf = ({ item, record: { values, matching } }: Written): string =>
  JSON.stringify(matching.map((column) => asText(matchingValue(item, values, column))));

/** Finds rows by the values of their matching columns. */
class RowIndex {
  readonly #rows: ReadonlyMap<string, number>;

  private constructor(rows: ReadonlyMap<string, number>) {
    this.#rows = rows;
  }

  static async read({ documentId, title }: SheetTarget, header: Header, written: readonly Written[]): Promise<RowIndex> {
    const { item, record } = written[0] as Written;
    if (record.matching.length === 0)
      throw item.error('no column to match on is set', 'Choose at least one column in "Column to Match On"');
    if (record.matching.includes(rowNumber)) return new RowIndex(new Map());
    const columns = record.matching.map((name) => header.column(name) ?? missingColumn(item, name));
    const ranges = columns.map((column) => rangeIn(title, `${columnLetters(column)}:${columnLetters(column)}`));
    const cells = await readRanges(item, documentId, ranges);
    const rows = new Map<string, number>();
    const count = Math.max(0, ...cells.map((column) => column.length));
    const slice = new TimeSlice();
    for (let row = Math.max(header.row, locationRow(item, 'firstDataRow', 2) - 1); row < count; row++) {
      if (slice.isOver) await slice.next();
      const key = JSON.stringify(cells.map((column) => asText(column[row]?.[0])));
      if (!rows.has(key)) rows.set(key, row + 1);
    }
    return new RowIndex(rows);
  }

  /** The first matching row, 1-based. */
  find(written: Written): number | undefined {
    const { item, record } = written;
    if (!record.matching.includes(rowNumber)) return this.#rows.get(keyOf(written));
    const row = Number(matchingValue(item, record.values, rowNumber));
    if (Number.isInteger(row) && row > 0) return row;
    throw item.error('the row number is not a positive integer', `Set "${rowNumber}" to the number of the row`);
  }
}

function missingColumn(item: ServiceItem, name: string): never {
  throw item.error(`the sheet has no column "${name}" to match on`, 'Check the name of the column in the header row');
}

function noteMissing(missing: readonly Written[]): void {
  const [{ item, index }] = missing as readonly [Written];
  const which = missing.length === 1 ? `item ${index}` : `${missing.length} items, the first of which is item ${index}`;
  item.context.addHints?.({
    message: `No row matches ${which}, so nothing was changed for it. "Append or Update Row" would add a row.`,
  });
}

const first = (written: readonly Written[]): ServiceItem => (written[0] as Written).item;

/** Whether Google interprets text as user input. */
function valueInput(item: ServiceItem): ValueInput {
  return item.text('options.cellFormat', item.version < 4.1 ? 'RAW' : 'USER_ENTERED') === 'RAW' ? 'RAW' : 'USER_ENTERED';
}

function withoutRowNumber({ [rowNumber]: _, ...values }: JsonObject): Record<string, JsonValue> {
  return values;
}
