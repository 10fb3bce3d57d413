import { type JsonObject, type JsonValue, mapSliced } from '@sluice/node-sdk';
import { startOf } from '../../shared/a1.ts';
import { columnNames, isEmptyRow } from '../../shared/cells.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { type Row, readRows } from './google-sheets-client.ts';
import { RecordIndex } from './record-index.ts';
import { documentUrl } from './sheet-target.ts';

/** Default of the parameter `range`. */
const wholeRange = 'A:F';

export const documentIdOf = (item: ServiceItem): string => item.id('sheetId', documentUrl);
export const rangeOf = (item: ServiceItem): string => item.text('range', wholeRange).trim() || wholeRange;

/** Location of a range's table: rows are 0-based, within the range. */
export function placeOf(item: ServiceItem) {
  const range = rangeOf(item);
  return {
    documentId: documentIdOf(item),
    range,
    /** Includes the exclamation mark; empty: the first sheet. */
    sheet: range.slice(0, range.lastIndexOf('!') + 1),
    start: startOf(range),
    keyRow: Math.max(0, item.number('keyRow', 0)),
    dataStartRow: Math.max(0, item.number('dataStartRow', 1)),
  };
}

/** The rows in a range, which the first item of a run defines. */
export class RangeTable {
  readonly records: readonly JsonObject[];
  readonly #names: ReadonlySet<string>;
  readonly #index: RecordIndex;

  private constructor(names: readonly string[], records: readonly JsonObject[]) {
    this.#names = new Set(names);
    this.records = records;
    this.#index = new RecordIndex(records);
  }

  /** The unchanged cells of the range. */
  static async rows(item: ServiceItem): Promise<JsonValue> {
    return (await rowsOf(item)) as unknown as JsonValue;
  }

  static async read(item: ServiceItem): Promise<RangeTable> {
    const { start, keyRow, dataStartRow } = placeOf(item);
    const rows = await rowsOf(item);
    const names = columnNames(rows[keyRow] ?? [], start.column);
    const recordOf = (row: Row): JsonObject => Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
    const records = await mapSliced(rows.slice(dataStartRow), (row) => (isEmptyRow(row) ? undefined : recordOf(row)));
    return new RangeTable(
      names,
      records.filter((record) => record !== undefined),
    );
  }

  /** Records with a value in a column; only the first record unless `isAll`. */
  async find(item: ServiceItem, column: string, value: JsonValue, isAll: boolean): Promise<JsonObject[]> {
    if (!this.#names.has(column))
      throw item.error(`the range has no column "${column}" to search`, 'Check the name of the column, and the key row');
    return this.#index.find([[column, asText(value)]], { isAny: true, isFirstOnly: !isAll });
  }
}

function rowsOf(item: ServiceItem): Promise<Row[]> {
  return readRows(item, documentIdOf(item), rangeOf(item), {
    valueRenderOption: item.text('options.valueRenderMode', 'UNFORMATTED_VALUE'),
    dateTimeRenderOption: 'FORMATTED_STRING',
  });
}
