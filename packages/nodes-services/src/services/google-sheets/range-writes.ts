import { type JsonObject, mapSliced, ownProperty, TimeSlice, valueAt } from '@sluice/node-sdk';
import { columnLetters } from '../../shared/a1.ts';
import { cellOf, columnNames } from '../../shared/cells.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { type Cell, type Row, readRanges, readRows, type ValueInput, writeRanges } from './google-sheets-client.ts';
import { placeOf, rangeOf } from './range-table.ts';
import { appendAligned, writeAll } from './write-rows.ts';

/** Adds a row for each item. The first item defines the document, the range, and the options. */
export async function appendItems(items: readonly ServiceItem[]): Promise<void> {
  const header = await RangeHeader.read(items, true);
  await header.append(items);
}

/** Changes the rows whose key equals an item's key; `isUpsert`: adds the other items. */
export async function updateItems(items: readonly ServiceItem[], isUpsert: boolean): Promise<void> {
  const [item] = items as readonly [ServiceItem];
  if (item.toggle('rawData')) return writeRaw(items);
  const header = await RangeHeader.read(items, isUpsert);
  const keyName = item.text('key', 'id');
  const rows = await header.rowsByKey(item, keyName);
  const located = await mapSliced(items, (one) => ({ one, row: rows.get(asText(ownProperty(jsonOf(one), keyName))) }));
  await header.change(located.flatMap(({ one, row }) => (row === undefined ? [] : [{ one, row }])));
  if (isUpsert) await header.append(located.flatMap(({ one, row }) => (row === undefined ? [one] : [])));
}

/** Each item has rows that overwrite the range from its start. */
async function writeRaw(items: readonly ServiceItem[]): Promise<void> {
  const [item] = items as readonly [ServiceItem];
  const property = item.text('dataProperty', 'data');
  const data = items.map((one) => {
    const values = ownProperty(jsonOf(one), property);
    if (!Array.isArray(values) || !values.every((row) => Array.isArray(row)))
      throw one.error(`the field "${property}" is not a list of rows`, 'Set "Data Property" to a field with a list of lists');
    return { range: rangeOf(one), values: values as unknown as readonly Row[] };
  });
  for (const one of data) await writeRanges(item, placeOf(item).documentId, inputOf(item), [one]);
}

/** A range's column names. Fields without a column are not written. */
class RangeHeader {
  readonly #names: readonly string[];
  readonly #item: ServiceItem;
  readonly #place: ReturnType<typeof placeOf>;

  private constructor(item: ServiceItem, names: readonly string[]) {
    this.#item = item;
    this.#place = placeOf(item);
    this.#names = names;
  }

  /** `isMade`: without a header, the first item's fields become the header. */
  static async read(items: readonly ServiceItem[], isMade: boolean): Promise<RangeHeader> {
    const [item] = items as readonly [ServiceItem];
    const { documentId, sheet, start, keyRow } = placeOf(item);
    const row = start.row + keyRow + 1;
    const first = columnLetters(start.column);
    const [cells = []] = await readRows(item, documentId, `${sheet}${rowOf(rangeOf(item), first, row)}`);
    if (cells.length > 0) return new RangeHeader(item, columnNames(cells, start.column));
    const names = isMade ? Object.keys(jsonOf(item)) : [];
    if (names.length === 0) return new RangeHeader(item, []);
    const range = `${sheet}${first}${row}:${columnLetters(start.column + names.length - 1)}${row}`;
    await writeRanges(item, documentId, 'RAW', [{ range, values: [names] }]);
    return new RangeHeader(item, names);
  }

  /** Row number in the sheet, 1-based, of each key. */
  async rowsByKey(item: ServiceItem, key: string): Promise<ReadonlyMap<string, number>> {
    const index = this.#names.indexOf(key);
    if (index < 0)
      throw item.error(
        `the range has no column "${key}" to find rows`,
        'Check "Key", and the row with the names of the columns',
      );
    const { documentId, sheet, start, dataStartRow } = this.#place;
    const letters = columnLetters(start.column + index);
    const firstRow = start.row + dataStartRow + 1;
    const [cells = []] = await readRanges(item, documentId, [`${sheet}${letters}${firstRow}:${letters}`]);
    const rows = new Map<string, number>();
    const slice = new TimeSlice();
    for (const [at, [cell]] of cells.entries()) {
      if (slice.isOver) await slice.next();
      const text = asText(cell);
      if (text !== '' && !rows.has(text)) rows.set(text, firstRow + at);
    }
    return rows;
  }

  async append(items: readonly ServiceItem[]): Promise<void> {
    if (items.length === 0 || this.#names.length === 0) return;
    const rows = await mapSliced(items, (one) => this.#cellsOf(one));
    const { documentId, sheet, start, keyRow } = this.#place;
    const table = {
      documentId,
      row: start.row + keyRow + 1,
      column: start.column,
      rangeOf: (range: string) => `${sheet}${range}`,
    };
    await appendAligned(this.#item, table, rows, inputOf(this.#item));
  }

  async change(located: readonly { one: ServiceItem; row: number }[]): Promise<void> {
    const { documentId, sheet, start } = this.#place;
    const [first, last] = [start.column, start.column + this.#names.length - 1].map(columnLetters);
    const data = await mapSliced(located, ({ one, row }) => ({
      range: `${sheet}${first}${row}:${last}${row}`,
      values: [this.#cellsOf(one)],
    }));
    await writeAll(this.#item, documentId, inputOf(this.#item), data);
  }

  #cellsOf(one: ServiceItem): Cell[] {
    const json = jsonOf(one);
    const byPath = this.#item.toggle('options.usePathForKeyRow');
    return this.#names.map((name) => {
      const value = byPath ? valueAt(json, name) : ownProperty(json, name);
      return value === undefined ? null : cellOf(value);
    });
  }
}

const jsonOf = ({ context, index }: ServiceItem): JsonObject => context.items()[index]?.json ?? {};

const inputOf = (item: ServiceItem): ValueInput =>
  item.text('options.valueInputMode', 'RAW') === 'USER_ENTERED' ? 'USER_ENTERED' : 'RAW';

/**
 * One row in a range such as `A2:F20`; a range without a last column, such as `2:20`, includes all
 * columns.
 */
function rowOf(range: string, first: string, row: number): string {
  const [, last = ''] = /:\$?([A-Za-z]{1,3})\$?\d*$/.exec(range) ?? [];
  return last === '' ? `${row}:${row}` : `${first}${row}:${last}${row}`;
}
