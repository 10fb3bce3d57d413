import { type JsonObject, type JsonValue, mapSliced, type NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { columnNames, isEmptyRow } from '../../shared/cells.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { type Cells, readCells, sheetPath, writeCells } from './excel-client.ts';
import { assertColumn, objectFrom } from './read-rows.ts';
import { CellBudget, Columns, cellsPerRequest, maxColumns } from './row-values.ts';

/** Cells of a worksheet that is being changed: rows are added at its end, or changed. */
export class SheetRows {
  readonly columns: Columns;
  readonly #sheet: string;
  readonly #cells: Cells;
  readonly #changes = new Map<number, JsonValue[]>();
  readonly #budget = new CellBudget();
  /** All rows, including added ones. */
  #count: number;

  private constructor(sheet: string, cells: Cells) {
    const [header = []] = cells.values;
    const isNew = isEmptyRow(header) && cells.values.length <= 1;
    this.columns = new Columns(isNew ? [] : columnNames(header, cells.column), isNew);
    this.#sheet = sheet;
    this.#cells = cells;
    this.#count = Math.max(1, cells.values.length);
  }

  static async read(item: ServiceItem, address = ''): Promise<SheetRows> {
    const sheet = sheetPath(item);
    return new SheetRows(sheet, await readCells(item, sheet, address));
  }

  /** Adds a row. Resolves to its index. */
  add(row: JsonValue[]): number {
    this.#changes.set(this.#count, row);
    return this.#count++;
  }

  /** Changes the cells of a row that are not `null`. Returns the row after it. */
  change(index: number, row: JsonValue[]): JsonObject {
    const before = this.#changes.get(index) ?? [];
    this.#changes.set(
      index,
      row.map((cell, column) => cell ?? before[column] ?? null),
    );
    const old = this.#cells.values[index] ?? [];
    const changed = row.map((cell, column) => cell ?? before[column] ?? old[column] ?? '');
    return objectFrom(this.columns.names, changed);
  }

  /** Like `change`, for several rows. */
  async changeAll(item: ServiceItem, indexes: readonly number[], row: JsonValue[]): Promise<JsonObject[]> {
    this.#budget.use(item, indexes.length * row.length);
    const change = (index: number) => this.change(index, row);
    return indexes.length > 1 ? mapSliced(indexes, change) : indexes.map(change);
  }

  /** Rows by their cell's text in a column. */
  async index(item: ServiceItem, column: string): Promise<Map<string, number[]>> {
    const rows = new Map<string, number[]>();
    const at = this.columns.names.indexOf(column);
    if (at === -1 && !this.columns.isNew) assertColumn(item, this.columns.names, column);
    const slice = new TimeSlice();
    for (let index = 1; index < this.#cells.values.length && at >= 0; index++) {
      if (slice.isOver) await slice.next();
      const key = asText(this.#cells.values[index]?.[at]);
      const existing = rows.get(key);
      if (existing) existing.push(index);
      else rows.set(key, [index]);
    }
    return rows;
  }

  /** Writes the changes; rows between them are sent as `null`. */
  async save(item: ServiceItem): Promise<void> {
    const { row, column } = this.#cells;
    if (this.columns.isNew && this.columns.names.length > 0) this.#changes.set(0, [...this.columns.names]);
    let width = this.columns.names.length;
    for (const one of this.#changes.values()) width = Math.max(width, one.length);
    if (width === 0) return;
    if (column + width > maxColumns) throw tooWide(item);
    const window = Math.max(1, Math.floor(cellsPerRequest / width));
    const windows = Map.groupBy(this.#changes.keys(), (index) => Math.floor(index / window));
    for (const [, indexes] of windows) {
      const first = indexes.reduce((least, index) => Math.min(least, index));
      const last = indexes.reduce((most, index) => Math.max(most, index));
      const rows = Array.from({ length: last - first + 1 }, (_, offset) => this.#changes.get(first + offset) ?? []);
      const values = await mapSliced(rows, (cells) => Array.from({ length: width }, (_, at) => cells[at] ?? null));
      await writeCells(item, this.#sheet, { row: row + first, column, values });
    }
  }
}

function tooWide(item: ServiceItem): NodeOperationError {
  return item.error(`the rows have more than ${maxColumns} columns`, 'Write fewer columns');
}
