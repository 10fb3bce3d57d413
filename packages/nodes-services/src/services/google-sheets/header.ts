import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import type { ServiceItem } from '../../shared/service-item.ts';
import { columnLetters, rangeIn } from './a1.ts';
import { type Cell, type Row, readRows, type ValueInput, writeRanges } from './google-sheets-client.ts';
import type { SheetTarget } from './sheet-target.ts';

/** Field of items that have been read: the row in the sheet, from 1. Never written. */
export const rowNumber = 'row_number';

/** Names of columns; one without a name gets that of its position, and a repeated one a number. */
export function columnNames(row: Row, offset = 0): string[] {
  const names: string[] = [];
  const used = new Set<string>();
  for (let index = 0; index < row.length; index++) {
    const name = textOf(row[index]) || `col_${offset + index + 1}`;
    let unique = name;
    for (let count = 2; used.has(unique); count++) unique = `${name}_${count}`;
    used.add(unique);
    names.push(unique);
  }
  return names;
}

export const textOf = (cell: Cell | undefined): string =>
  cell === undefined || cell === null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell);

/** The row with the names of the columns. New names are added to it before rows are written. */
export class Header {
  readonly row: number;
  readonly #target: SheetTarget;
  readonly #columns: Map<string, number>;
  #isChanged = false;

  private constructor(target: SheetTarget, row: number, names: readonly string[]) {
    this.row = row;
    this.#target = target;
    this.#columns = new Map(names.map((name, index) => [name, index]));
  }

  static async read(item: ServiceItem, target: SheetTarget): Promise<Header> {
    const row = Math.max(1, item.number('options.dataLocationOnSheet.values.headerRow', 1));
    const [names = []] = await readRows(item.access, target.documentId, rangeIn(target.title, `${row}:${row}`));
    return new Header(target, row, columnNames(names));
  }

  get size(): number {
    return this.#columns.size;
  }

  column(name: string): number | undefined {
    return this.#columns.get(name);
  }

  /** The cells of one row; `null` where the record has no value. Unknown names become columns unless the author chose otherwise. */
  cellsOf(record: Readonly<JsonObject>, item: ServiceItem): Cell[] {
    const cells: Cell[] = [];
    for (const [name, value] of Object.entries(record)) {
      if (name === rowNumber) continue;
      const index = this.#columns.get(name) ?? this.#added(name, item);
      if (index !== undefined) cells[index] = cellOf(value);
    }
    return Array.from({ length: this.size }, (_, index) => cells[index] ?? null);
  }

  /** Writes new names; call it before the rows. */
  async save(item: ServiceItem, input: ValueInput): Promise<void> {
    if (!this.#isChanged) return;
    const range = rangeIn(this.#target.title, `A${this.row}:${columnLetters(this.size - 1)}${this.row}`);
    await writeRanges(item, this.#target.documentId, input, [{ range, values: [[...this.#columns.keys()]] }]);
    this.#isChanged = false;
  }

  #added(name: string, item: ServiceItem): number | undefined {
    const handling = item.text('options.handlingExtraData', 'insertInNewColumn');
    if (handling === 'ignoreIt') return undefined;
    if (handling === 'error')
      throw item.error(`the sheet has no column "${name}"`, 'Add the column, or choose another "Handling Extra Fields" option');
    this.#columns.set(name, this.size);
    this.#isChanged = true;
    return this.size - 1;
  }
}

/** Cells hold text, numbers, and booleans. */
function cellOf(value: JsonValue): Cell {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
