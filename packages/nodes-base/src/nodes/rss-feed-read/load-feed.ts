import { type ExecuteContext, errorMessage, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { sendForText } from '../../shared/http/send-for-text.ts';
import { runUnlessSmall, taskModule } from '../../threads/work-threads.ts';
import { task } from './feed-task.ts';

const accepted =
  'application/rss+xml, application/rdf+xml;q=0.8, application/atom+xml;q=0.6, application/xml;q=0.4, text/xml;q=0.4, */*;q=0.1';

/** The largest podcast feeds have about 10 MB. */
const maxFeedBytes = 20 * 1024 * 1024;

interface FeedOptions {
  /** Whether to accept any certificate. */
  ignoreSsl?: boolean;
  /** Additional elements of an entry. */
  customFields?: readonly string[];
  itemIndex: number;
}

/** Fetches a feed and returns its entries in order. All errors contain the item's index. */
export async function loadFeed(
  context: Pick<ExecuteContext, 'http' | 'signal' | 'workflow'>,
  url: string,
  { ignoreSsl = false, customFields = [], itemIndex }: FeedOptions,
): Promise<JsonObject[]> {
  const request = {
    method: 'GET',
    url,
    headers: { accept: accepted },
    maxRedirects: 5,
    timeoutMs: 60_000,
    maxResponseBytes: maxFeedBytes,
    ...(ignoreSsl && { tls: { rejectUnauthorized: false } }),
  };
  return entriesOf(context, await sendForText(context, request, itemIndex), customFields, itemIndex);
}

async function entriesOf(
  { signal, workflow }: Pick<ExecuteContext, 'signal' | 'workflow'>,
  feed: string,
  customFields: readonly string[],
  itemIndex: number,
): Promise<JsonObject[]> {
  const options = { owner: workflow, signal, size: feed.length };
  try {
    return await runUnlessSmall<JsonObject>(
      { module: taskModule('feed-task', import.meta.url), task },
      { feed, customFields },
      options,
    );
  } catch (cause) {
    signal.throwIfAborted();
    const [reason = ''] = errorMessage(cause).split('\n');
    const description = 'Check that the URL belongs to the feed, not to a page that links to it';
    throw new NodeOperationError(`the feed cannot be read: ${reason}`, { itemIndex, description, cause });
  }
}
