/**
 * Runs the steps of a change one after the other. Between two of them, other writes to the table
 * can run.
 */
export async function* rowBatches<T extends { next: number | null }>(step: (after: number) => Promise<T>): AsyncGenerator<T> {
  for (let after: number | null = 0; after !== null; ) {
    const batch: T = await step(after);
    yield batch;
    after = batch.next;
  }
}
