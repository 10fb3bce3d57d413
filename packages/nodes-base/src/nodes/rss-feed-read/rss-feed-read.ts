import { type ExecuteContext, type Item, type JsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { sendForText } from '../../shared/http/send-for-text.ts';
import { booleanParameter, namesParameter, requiredText } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { mapItemsAsync, pairedWithAll } from '../../shared/per-item-async.ts';
import { options, text, toggle } from '../../shared/properties.ts';
import { feedEntries } from './feed-entries.ts';

const accepted =
  'application/rss+xml, application/rdf+xml;q=0.8, application/atom+xml;q=0.6, application/xml;q=0.4, text/xml;q=0.4, */*;q=0.1';

/** The entries of feeds: one feed in version 1, one for each item later. */
export const rssFeedRead: NodeType = {
  description: {
    displayName: 'RSS Read',
    name: 'rss-feed-read',
    group: ['input'],
    version: [1, 1.1, 1.2],
    description: 'Reads the entries of an RSS or Atom feed',
    defaults: { name: 'RSS Read' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text('url', 'URL', 'Of the feed: absolute, http or https', { required: true }),
      options([
        text('customFields', 'Custom Fields', 'Further elements of an entry, separated by commas: `media:thumbnail`'),
        toggle(
          'ignoreSSL',
          'Ignore SSL Issues (Insecure)',
          'Whether any certificate is accepted. What is sent may then be read by others',
        ),
      ]),
    ],
    icon: 'fa:rss',
    iconColor: 'orange',
    subtitle: '={{ $parameter["url"] }}',
  },
  async execute(context) {
    if (context.typeVersion === 1) return [await readOnce(context)];
    return [await mapItemsAsync(context, (_, itemIndex) => readFeed(context, itemIndex, { item: itemIndex }))];
  },
};

/** With the parameters of the first item; what comes out belongs to all of them. */
async function readOnce(context: ExecuteContext): Promise<Item[]> {
  if (context.items().length === 0) return [];
  const paired = pairedWithAll(context);
  try {
    return await readFeed(context, 0, paired);
  } catch (error) {
    return [{ ...failedOrThrow(context, 0, error), pairedItem: paired }];
  }
}

async function readFeed(
  context: ExecuteContext,
  itemIndex: number,
  pairedItem: NonNullable<Item['pairedItem']>,
): Promise<Item[]> {
  const url = requiredText(context, 'url', itemIndex).trim();
  const ignoreSsl = booleanParameter(context, 'options.ignoreSSL', itemIndex, false);
  const request = {
    method: 'GET',
    url,
    headers: { accept: accepted },
    maxRedirects: 5,
    timeoutMs: 60_000,
    maxResponseBytes: maxFeedBytes,
    ...(ignoreSsl && { tls: { rejectUnauthorized: false } }),
  };
  const feed = await sendForText(context, request, itemIndex);
  const entries = await entriesOf(feed, namesParameter(context, 'options.customFields', itemIndex), itemIndex);
  return entries.map((json) => ({ json, pairedItem }));
}

/** The largest feeds of podcasts have some 10 MB. */
const maxFeedBytes = 20 * 1024 * 1024;

async function entriesOf(feed: string, customFields: readonly string[], itemIndex: number): Promise<JsonObject[]> {
  try {
    return await feedEntries(feed, customFields);
  } catch (cause) {
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    const description = 'Check that the URL is the one of the feed, not of a page that mentions it';
    throw new NodeOperationError(`the feed cannot be read: ${reason}`, { itemIndex, description, cause });
  }
}
