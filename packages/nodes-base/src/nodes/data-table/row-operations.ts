import {
  bytesOfRow,
  type DataTableInfo,
  type DataTableRow,
  type ExecuteContext,
  type Item,
  type JsonObject,
  TimeSlice,
} from '@sluice/node-sdk';
import type { ResultBudget } from '../../shared/byte-budget.ts';
import { booleanParameter, numberParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';
import { pairedWithAll } from '../../shared/per-item-async.ts';
import type { TableFinder } from './find-table.ts';
import { filterOf, valuesOf } from './row-parameters.ts';

interface RowCall {
  context: ExecuteContext;
  finder: TableFinder;
  /** Limits the total size of a run's rows. */
  budget: ResultBudget;
  item: Item;
  itemIndex: number;
}

export const rowOperationNames = ['insert', 'get', 'update', 'upsert', 'deleteRows', 'rowExists', 'rowNotExists'] as const;

/** Maximum number of rows that are read or inserted at once. */
const pageSize = 1_000;
/** Maximum number of JSON characters that are inserted at once. */
const maxBatchLength = 4_000_000;

/** Operations on rows. Each resolves to the items for one input item. */
export const rowOperations: Readonly<Record<(typeof rowOperationNames)[number], (call: RowCall) => Promise<Item[]>>> = {
  async insert(call) {
    const { context, finder, item, itemIndex } = call;
    const table = await finder.find(itemIndex);
    const rows = [valuesOf(context, table, item, itemIndex)];
    return asItems(call, await finder.tables.insert(table.id, rows, context.signal));
  },
  async get(call) {
    const { context, finder, itemIndex } = call;
    const table = await finder.find(itemIndex);
    const all = booleanParameter(context, 'returnAll', itemIndex, false);
    const limit = all ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(numberParameter(context, 'limit', itemIndex, 50)));
    return readRows(call, table, limit);
  },
  update: (call) => change(call, false),
  upsert: (call) => change(call, true),
  async deleteRows(call) {
    const { context, finder, itemIndex } = call;
    const table = await finder.find(itemIndex);
    const filter = filterOf(context, table, itemIndex, 'required');
    if (isDryRun(context, itemIndex)) {
      const rows = await readRows(call, table, Number.POSITIVE_INFINITY);
      return rows.map(({ json, ...item }) => ({ ...item, json: { ...json, dryRunState: 'before' } }));
    }
    return asItems(call, await finder.tables.deleteRows(table.id, filter, context.signal));
  },
  rowExists: async (call) => ((await exists(call)) ? [passedItem(call.item, call.itemIndex)] : []),
  rowNotExists: async (call) => ((await exists(call)) ? [] : [passedItem(call.item, call.itemIndex)]),
};

/** Inserts the rows of all items at once, and returns only their number. */
export async function insertAll(context: ExecuteContext, finder: TableFinder): Promise<Item[]> {
  if (context.items().length === 0) return [];
  const table = await finder.find(0);
  const rows: JsonObject[] = [];
  const slice = new TimeSlice();
  for (const [itemIndex, item] of context.items().entries()) {
    if (slice.isOver) await slice.next();
    rows.push(valuesOf(context, table, item, itemIndex));
  }
  for (const batch of batches(rows)) {
    context.signal.throwIfAborted();
    await finder.tables.insert(table.id, batch, context.signal);
  }
  return [{ json: { success: true, insertedRows: rows.length }, pairedItem: pairedWithAll(context) }];
}

/**
 * Groups of rows, one per statement. Rows may repeat a long value: together they would fill the
 * memory.
 */
function* batches(rows: readonly JsonObject[]): Iterable<JsonObject[]> {
  let batch: JsonObject[] = [];
  let length = 0;
  for (const row of rows) {
    const rowLength = JSON.stringify(row).length;
    if (batch.length === pageSize || (batch.length > 0 && length + rowLength > maxBatchLength)) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(row);
    length += rowLength;
  }
  yield batch;
}

async function change(call: RowCall, upsert: boolean): Promise<Item[]> {
  const { context, finder, item, itemIndex } = call;
  const table = await finder.find(itemIndex);
  const filter = filterOf(context, table, itemIndex, 'required');
  const values = valuesOf(context, table, item, itemIndex);
  if (isDryRun(context, itemIndex)) {
    const changes = await finder.tables.preview(table.id, { filter, values, upsert }, context.signal);
    const states = changes.flatMap(({ before, after }) => [
      ...(before ? [{ ...before, dryRunState: 'before' }] : []),
      { ...after, dryRunState: 'after' },
    ]);
    return asItems(call, states);
  }
  const write = upsert ? finder.tables.upsert : finder.tables.update;
  return asItems(call, await write(table.id, filter, values, context.signal));
}

async function exists({ context, finder, itemIndex }: RowCall): Promise<boolean> {
  const table = await finder.find(itemIndex);
  const filter = filterOf(context, table, itemIndex, 'required');
  return (await finder.tables.rows(table.id, filter, { limit: 1 }, context.signal)).rows.length > 0;
}

async function readRows(call: RowCall, table: DataTableInfo, limit: number): Promise<Item[]> {
  const { context, finder, itemIndex } = call;
  const filter = filterOf(context, table, itemIndex, 'optional');
  const items: Item[] = [];
  for (let after: number | null = 0; after !== null && items.length < limit; ) {
    const page = { after, limit: Math.min(pageSize, limit - items.length) };
    const { rows, next } = await finder.tables.rows(table.id, filter, page, context.signal);
    for (const item of asItems(call, rows)) items.push(item);
    after = next;
  }
  return items;
}

function isDryRun(context: ExecuteContext, itemIndex: number): boolean {
  return booleanParameter(context, 'options.dryRun', itemIndex, false);
}

/** Throws once a run's rows are too large. */
function asItems({ budget, itemIndex }: RowCall, rows: readonly DataTableRow[]): Item[] {
  for (const row of rows) budget.spend(bytesOfRow(row));
  return rows.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}
