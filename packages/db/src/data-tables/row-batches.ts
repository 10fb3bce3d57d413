import type { RowBatch } from './data-table-row-repository.ts';
import type { DataRow } from './stored-rows.ts';

/** Runs the steps of a change one after the other. Between two of them, other writes to the table can run. */
export async function* rowBatches(step: (after: number) => Promise<RowBatch>): AsyncGenerator<RowBatch> {
  for (let after: number | null = 0; after !== null; ) {
    const batch: RowBatch = await step(after);
    yield batch;
    after = batch.next;
  }
}

/** The rows of all steps of a change. */
export async function allRows(step: (after: number) => Promise<RowBatch>): Promise<DataRow[]> {
  const rows: DataRow[] = [];
  for await (const batch of rowBatches(step)) for (const row of batch.rows) rows.push(row);
  return rows;
}
