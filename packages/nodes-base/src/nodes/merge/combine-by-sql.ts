import { type ExecuteContext, errorMessage, type Item, NodeOperationError, type PairedItem } from '@sluice/node-sdk';
import type { SqlPlan } from './merge-plan.ts';
import { SqlDatabase, type SqlRow } from './sql-database.ts';
import { notAName, statementsOf } from './sql-statements.ts';

/** Maximum number of pairs of all rows: where any row may come from any item, they multiply. */
const maxPairs = 100_000;

/**
 * The rows of a query over the tables `input1`, `input2`, …, as items. Throws a
 * `NodeOperationError` with SQLite's message.
 */
export async function combineBySql(context: ExecuteContext, plan: SqlPlan): Promise<Item[]> {
  const statements = statementsOf(plan);
  const database = await SqlDatabase.open();
  try {
    for (let input = 0; input < plan.tables; input++) database.addTable(`input${input + 1}`, context.items(input));
    const rows = statements.flatMap((statement) => database.query(statement, plan.tracesRows));
    const success: SqlRow[] = rows.length === 0 && plan.emptyAsSuccess ? [{ json: { success: true } }] : rows;
    return plan.tracesRows ? success.map(tracedItem) : pairedWithAll(context, success);
  } catch (error) {
    throw error instanceof NodeOperationError ? error : failure(error, plan);
  } finally {
    database.close();
  }
}

function tracedItem({ json, sources }: SqlRow): Item {
  return { json, ...(sources && { pairedItem: sources.map(([input, item]) => ({ item, input })) }) };
}

function pairedWithAll(context: ExecuteContext, rows: readonly SqlRow[]): Item[] {
  const pairedItem: PairedItem[] = Array.from({ length: context.inputCount }, (_, input) =>
    context.items(input).map((_item, item) => ({ item, input })),
  ).flat();
  const isPaired = rows.length * pairedItem.length <= maxPairs;
  return rows.map(({ json }) => ({ json, ...(isPaired && { pairedItem }) }));
}

function failure(error: unknown, { parts }: SqlPlan): NodeOperationError {
  const message = errorMessage(error);
  if (message === 'out of memory') {
    return new NodeOperationError('the query needs more memory than it may use', {
      description: 'Select fewer columns, join by more fields, or merge fewer items at a time',
    });
  }
  // SQLite names a bound value's column after its placeholder.
  if (parts.length > 1 && /near "(NULL|\?\d*)"/.test(message)) return notAName();
  const ofValues = parts.length > 1 ? '. An expression within the query is a value, never a name or a part of the SQL' : '';
  return new NodeOperationError(`the query failed: ${message}`, {
    description: `Write a SELECT in SQLite’s dialect; the tables are input1, input2, and so on, with the items’ fields as columns${ofValues}`,
  });
}
