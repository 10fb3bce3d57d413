import { type Item, type JsonObject, type JsonValue, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import type { Cell } from './tasks.ts';

/** As many as Excel has. */
const maxColumns = 16_384;

/** Cells of one table: items that share no fields make it grow by the square of their number. */
const maxCells = 5_000_000;

/** Characters of all column names together: the name of a nested field repeats those above it. */
const maxNameCharacters = 16 * 1024 * 1024;

/** Items as a table: a column for each field, in the order in which fields first appear. */
export interface Table {
  columns: readonly string[];
  rowCount: number;
  /** Made one at a time; a field that an item lacks is null. */
  rows(): Iterable<Cell[]>;
}

/** Fields within fields, and elements of lists, become columns of their own: `address.city`, `tags.0`. */
export async function tableOfItems(items: readonly Item[]): Promise<Table> {
  const slice = new TimeSlice();
  const columns = new Set<string>();
  let characters = 0;
  for (const { json } of items) {
    for (const [column] of cells(json, '')) {
      if (columns.has(column)) continue;
      columns.add(column);
      characters += column.length;
      if (columns.size > maxColumns) throw tooWide(`more than ${maxColumns} columns`);
      if (characters > maxNameCharacters) throw tooWide(`columns with names of more than ${maxNameCharacters} characters`);
    }
    if (slice.isOver) await slice.next();
  }
  if (columns.size * items.length > maxCells) throw tooWide(`more than ${maxCells} cells`);
  return { columns: [...columns], rowCount: items.length, rows: () => rowsOf(items, [...columns]) };
}

function* rowsOf(items: readonly Item[], columns: readonly string[]): Generator<Cell[]> {
  for (const { json } of items) {
    const row = new Map(cells(json, ''));
    yield columns.map((column) => row.get(column) ?? null);
  }
}

function* cells(value: JsonObject | JsonValue[], prefix: string): Generator<[string, Cell]> {
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'object' && child !== null) yield* cells(child, `${prefix}${key}.`);
    else yield [prefix + key, child];
  }
}

function tooWide(problem: string): NodeOperationError {
  return new NodeOperationError(`the items make a table of ${problem}`, {
    description: 'Keep the fields that are needed with an "Edit Fields" node first',
  });
}
