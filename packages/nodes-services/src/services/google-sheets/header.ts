import type { JsonObject } from '@sluice/node-sdk';
import { columnLetters, rangeIn } from '../../shared/a1.ts';
import { cellOf, columnNames } from '../../shared/cells.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { type Cell, readRows, type ValueInput, writeRanges } from './google-sheets-client.ts';
import type { SheetTarget } from './sheet-target.ts';

/** Field of items that have been read: the row number in the sheet, 1-based. Never written. */
export const rowNumber = 'row_number';

/**
 * Maximum number of columns in a sheet, and of cells in a document:
 * https://support.google.com/drive/answer/37603
 */
const maxColumns = 18_278;
const maxCells = 10_000_000;

/** The row with the column names. New names are added to it before rows are written. */
export class Header {
  readonly row: number;
  readonly #target: SheetTarget;
  readonly #columns: Map<string, number>;
  #isChanged = false;
  /** Number of cells in all rows that were created. */
  #cells = 0;

  private constructor(target: SheetTarget, row: number, names: readonly string[]) {
    this.row = row;
    this.#target = target;
    this.#columns = new Map(names.map((name, index) => [name, index]));
  }

  static async read(item: ServiceItem, target: SheetTarget): Promise<Header> {
    const row = locationRow(item, 'headerRow', 1);
    const [names = []] = await readRows(item, target.documentId, rangeIn(target.title, `${row}:${row}`));
    return new Header(target, row, columnNames(names));
  }

  get size(): number {
    return this.#columns.size;
  }

  column(name: string): number | undefined {
    return this.#columns.get(name);
  }

  /**
   * The cells of one row; `null` where the record has no value. Unknown names become columns unless
   * the author chose otherwise.
   */
  cellsOf(record: Readonly<JsonObject>, item: ServiceItem): Cell[] {
    const cells: Cell[] = [];
    for (const [name, value] of Object.entries(record)) {
      if (name === rowNumber) continue;
      const index = this.#columns.get(name) ?? this.#added(name, item);
      if (index !== undefined) cells[index] = cellOf(value);
    }
    this.#cells += this.size;
    if (this.#cells > maxCells) throw tooMany(item, `rows with more than ${maxCells} cells`);
    return Array.from({ length: this.size }, (_, index) => cells[index] ?? null);
  }

  /** Writes new names; call it before writing the rows. */
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
    if (this.size >= maxColumns) throw tooMany(item, `more than ${maxColumns} columns`);
    this.#columns.set(name, this.size);
    this.#isChanged = true;
    return this.size - 1;
  }
}

/**
 * A 1-based row of the option "Data Location on Sheet": `locationDefine`, or `dataLocationOnSheet`
 * in workflows of earlier versions of Sluice.
 */
export function locationRow(item: ServiceItem, name: 'headerRow' | 'firstDataRow', fallback: number): number {
  const former = item.number(`options.dataLocationOnSheet.values.${name}`, fallback);
  return Math.max(1, item.number(`options.locationDefine.values.${name}`, former));
}

function tooMany(item: ServiceItem, what: string): Error {
  const description = 'Give all items the same fields, or choose another "Handling Extra Fields" option';
  return item.error(`the items would write ${what}, which Google Sheets does not allow`, description);
}
