import { type ExecuteContext, failedItem, type Item, type JsonObject, TimeSlice } from '@sluice/node-sdk';
import { errorOfItem, failedOrThrow } from '../per-item.ts';
import type { SqlResult, SqlSession, SqlStatement } from './sql-dialect.ts';

/** `single` and `transaction`: all items or none; `independently`: each item by itself. */
export type QueryBatching = 'single' | 'independently' | 'transaction';

/** A node's work on its items over one connection. */
interface SqlRun {
  batching: QueryBatching;
  open(): Promise<SqlSession>;
  /** The statements for an item. */
  statements(session: SqlSession, item: Item, itemIndex: number): Promise<SqlStatement[]> | SqlStatement[];
  /** JSON of the output items for an item's results. */
  output(results: readonly SqlResult[]): readonly JsonObject[];
}

/** Runs the statements of all items over one connection and always closes it. */
export async function runItems(context: ExecuteContext, run: SqlRun): Promise<Item[]> {
  if (context.items().length === 0) return [];
  try {
    const session = await run.open();
    try {
      return run.batching === 'independently' ? await eachItem(context, run, session) : await allItems(context, run, session);
    } finally {
      await session.close();
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (!context.continueOnFail) throw error;
    return context.items().map((_, itemIndex) => failedItem(error, itemIndex));
  }
}

async function eachItem(context: ExecuteContext, run: SqlRun, session: SqlSession): Promise<Item[]> {
  const results: Item[][] = [];
  for (const [itemIndex, item] of context.items().entries()) {
    const items = await oneItem(run, session, item, itemIndex).catch((error) => [failedOrThrow(context, itemIndex, error)]);
    results.push(items);
  }
  return results.flat();
}

/** A failure rolls back the statements of all items. */
async function allItems(context: ExecuteContext, run: SqlRun, session: SqlSession): Promise<Item[]> {
  const work = await statementsOf(context, run, session);
  // A single statement is its own transaction, and some (VACUUM) must not be in another.
  const begins = run.batching === 'transaction' || work.flat().length > 1;
  if (begins) await session.run({ text: 'BEGIN', values: [] });
  try {
    const results: Item[][] = [];
    for (const [itemIndex, statements] of work.entries())
      results.push(await runStatements(run, session, statements, itemIndex));
    if (begins) await session.run({ text: 'COMMIT', values: [] });
    return results.flat();
  } catch (error) {
    // If the connection is lost, the server rolls back on its own.
    if (begins) await session.run({ text: 'ROLLBACK', values: [] }).catch(() => {});
    throw error;
  }
}

async function statementsOf(context: ExecuteContext, run: SqlRun, session: SqlSession): Promise<SqlStatement[][]> {
  const work: SqlStatement[][] = [];
  const slice = new TimeSlice();
  for (const [itemIndex, item] of context.items().entries()) {
    if (slice.isOver) await slice.next();
    work.push(await withItem(itemIndex, async () => run.statements(session, item, itemIndex)));
  }
  return work;
}

async function oneItem(run: SqlRun, session: SqlSession, item: Item, itemIndex: number): Promise<Item[]> {
  const statements = await withItem(itemIndex, async () => run.statements(session, item, itemIndex));
  return runStatements(run, session, statements, itemIndex);
}

async function runStatements(run: SqlRun, session: SqlSession, statements: SqlStatement[], itemIndex: number): Promise<Item[]> {
  const results: (readonly SqlResult[])[] = [];
  for (const statement of statements) results.push(await withItem(itemIndex, () => session.run(statement)));
  return toItems(run.output(results.flat()), itemIndex);
}

async function toItems(rows: readonly JsonObject[], itemIndex: number): Promise<Item[]> {
  const items: Item[] = [];
  const slice = new TimeSlice();
  for (const json of rows) {
    items.push({ json, pairedItem: { item: itemIndex } });
    if (items.length % 10_000 === 0 && slice.isOver) await slice.next();
  }
  return items;
}

/** The rows of all results; the rows of a single result are not copied. */
export function rowsOf(results: readonly SqlResult[]): readonly JsonObject[] {
  const [first, ...more] = results;
  return first && more.length === 0 ? first.rows : results.flatMap(({ rows }) => rows);
}

/** Adds the item's index to the server's errors. */
async function withItem<T>(itemIndex: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw errorOfItem(error, itemIndex);
  }
}
