import { type Item, type JsonObject, type JsonValue, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import type { Cell } from './tasks.ts';

/** Excel's maximum. */
const maxColumns = 16_384;

/** Maximum number of cells in a table: items that share no fields make it grow quadratically. */
const maxCells = 5_000_000;

/**
 * Maximum total length of all column names, in characters: a nested field's name repeats its
 * parents' names.
 */
const maxNameCharacters = 16 * 1024 * 1024;

/** Items as a table: a column for each field, in the order in which fields first appear. */
export interface Table {
  columns: readonly string[];
  rowCount: number;
  /** Generated one at a time; a missing field is null. */
  rows(): Iterable<Cell[]>;
}

/** Nested fields and list elements become separate columns: `address.city`, `tags.0`. */
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
