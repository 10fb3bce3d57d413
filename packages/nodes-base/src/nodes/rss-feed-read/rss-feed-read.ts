import { type ExecuteContext, type Item, mapSliced, type NodeType } from '@sluice/node-sdk';
import { booleanParameter, namesParameter, requiredText } from '../../shared/parameters.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { mapItemsAsync, pairedWithAll, pairsForEach } from '../../shared/per-item-async.ts';
import { names, options, text, toggle } from '../../shared/properties.ts';
import { loadFeed } from './load-feed.ts';

/** The entries of feeds: one feed in version 1, one feed per item later. */
export const rssFeedRead: NodeType = {
  description: {
    displayName: 'RSS Read',
    name: 'rss-feed-read',
    group: ['input'],
    version: [1, 1.1, 1.2],
    description: 'Reads the entries of an RSS or Atom feed',
    defaults: { name: 'RSS Read' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      text('url', 'URL', 'URL of the feed: absolute, http or https', { required: true }),
      options([
        names('customFields', 'Custom Fields', 'Additional elements of an entry, separated by commas: `media:thumbnail`'),
        toggle(
          'ignoreSSL',
          'Ignore SSL Issues (Insecure)',
          'Whether to accept any certificate. Others may then be able to read the traffic',
        ),
      ]),
    ],
    icon: 'fa:rss',
    iconColor: 'orange',
    subtitle: '={{ $parameter["url"] }}',
  },
  async execute(context) {
    if (context.typeVersion === 1) return [await readOnce(context)];
    return [await mapItemsAsync(context, (_, itemIndex) => readFeed(context, itemIndex, () => ({ item: itemIndex })))];
  },
};

/** Uses the parameters of the first item. The entries are paired with all items. */
async function readOnce(context: ExecuteContext): Promise<Item[]> {
  if (context.items().length === 0) return [];
  try {
    return await readFeed(context, 0, (entryCount) => pairsForEach(context, entryCount));
  } catch (error) {
    return [{ ...failedOrThrow(context, 0, error), pairedItem: pairedWithAll(context) }];
  }
}

async function readFeed(
  context: ExecuteContext,
  itemIndex: number,
  pairsOf: (entryCount: number) => Item['pairedItem'],
): Promise<Item[]> {
  const entries = await loadFeed(context, requiredText(context, 'url', itemIndex).trim(), {
    ignoreSsl: booleanParameter(context, 'options.ignoreSSL', itemIndex, false),
    customFields: namesParameter(context, 'options.customFields', itemIndex),
    itemIndex,
  });
  const pairedItem = pairsOf(entries.length);
  return mapSliced(entries, (json) => ({ json, ...(pairedItem !== undefined && { pairedItem }) }));
}
