import { feedEntries } from './feed-entries.ts';

/** A work thread's task: the entries of a feed. */
export async function* task({
  feed,
  customFields,
}: {
  feed: string;
  customFields: readonly string[];
}): AsyncGenerator<unknown> {
  yield* await feedEntries(feed, customFields);
}
