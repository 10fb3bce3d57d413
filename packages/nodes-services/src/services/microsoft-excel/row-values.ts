import { type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { choiceParameter } from '@sluice/nodes-base/node-tools';
import { cellOf } from '../../shared/cells.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import type { Row } from './excel-client.ts';
import { assertColumn } from './read-rows.ts';

/**
 * https://support.microsoft.com/office/excel-specifications-and-limits-1672b34d-7043-467e-8e27-269d656771c3
 */
export const maxColumns = 16_384;
/** Maximum number of cells in one request, and in all items of a run. */
export const cellsPerRequest = 50_000;
const maxCells = 5_000_000;

const dataModes = ['autoMap', 'define', 'raw'] as const;
type DataMode = (typeof dataModes)[number];

/** Version 1 always uses the item's fields. */
export const dataMode = (item: ServiceItem): DataMode =>
  item.version < 2 ? 'autoMap' : choiceParameter(item.context, 'dataMode', item.index, dataModes, 'define');

/** Columns that one item assigns. */
export function valuesOf(item: ServiceItem): JsonObject {
  if (dataMode(item) === 'autoMap') return item.context.items()[item.index]?.json ?? {};
  const entries = item.entries('fieldsUi.values').filter(({ column = '' }) => column !== '');
  return Object.fromEntries(
    entries.map((entry): [string, JsonValue] => [asText(entry['column']), ownProperty(entry, 'fieldValue') ?? '']),
  );
}

/** Rows from the parameter `data`; `cellOf` converts their values to cells. */
export function rawRows(item: ServiceItem): Row[] {
  const data = item.json('data');
  const rows = Array.isArray(data) && data.length > 0 && data.every((row) => !Array.isArray(row)) ? [data] : data;
  if (Array.isArray(rows) && rows.length > 0 && rows.every((row) => Array.isArray(row))) return rows;
  throw item.error('the parameter "data" is not a list of rows', 'Set it to JSON such as [["Ada", 36], ["Bob", 40]]');
}

/** Counts a run's cells, and stops a canceled run. */
export class CellBudget {
  #cells = 0;

  use(item: ServiceItem, count: number): void {
    item.access.signal.throwIfAborted();
    this.#cells += count;
    if (this.#cells > maxCells)
      throw item.error(`the items write more than ${maxCells} cells`, 'Write fewer items at a time, for example with a loop');
  }
}

/** The columns in a worksheet or table. */
export class Columns {
  readonly names: string[];
  readonly #indexes: Map<string, number>;
  readonly #budget = new CellBudget();
  /** Whether the header row is empty, so that field names become columns. */
  readonly isNew: boolean;

  constructor(names: readonly string[], isNew = false) {
    this.names = [...names];
    this.#indexes = new Map(this.names.map((name, index) => [name, index]));
    this.isNew = isNew;
  }

  /**
   * The cells of a row; `null` where there is no value. An item's fields that are not columns are
   * omitted.
   */
  rowOf(item: ServiceItem, values: JsonObject): JsonValue[] {
    const row: JsonValue[] = [];
    for (const [name, value] of Object.entries(values)) {
      const index = this.#indexes.get(name) ?? this.#added(item, name);
      if (index !== undefined) row[index] = cellOf(value);
    }
    this.#budget.use(item, this.names.length);
    return Array.from({ length: this.names.length }, (_, index) => row[index] ?? null);
  }

  #added(item: ServiceItem, name: string): number | undefined {
    if (!this.isNew) {
      if (dataMode(item) === 'define') assertColumn(item, this.names, name);
      return undefined;
    }
    if (this.names.length >= maxColumns)
      throw item.error(`the items have more than ${maxColumns} fields, which are too many columns`, 'Remove fields first');
    this.#indexes.set(name, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }
}
