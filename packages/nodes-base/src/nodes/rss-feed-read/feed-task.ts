import { feedEntries } from './feed-entries.ts';

/** A work thread's task: parses a feed's entries. */
export async function* task({
  feed,
  customFields,
}: {
  feed: string;
  customFields: readonly string[];
}): AsyncGenerator<unknown> {
  yield* await feedEntries(feed, customFields);
}
