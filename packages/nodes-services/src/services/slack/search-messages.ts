import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  names,
  namesParameter,
  number,
  text,
  toggle,
  when,
} from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging, type Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { read } from './slack-client.ts';

const until26 = [{ _cnd: { lt: 2.7 } }];
const since27 = [{ _cnd: { gte: 2.7 } }];
const inVersions = (property: NodeProperty, versions: Parameters<typeof when>[0]): NodeProperty => ({
  ...property,
  displayOptions: { show: { ...property.displayOptions?.show, '@version': versions } },
});

const defaultLimit = 25;
/** Maximum number of results since version 2.7: Slack allows few of these requests per minute. */
const mostResults = 50;
/** Maximum number of results per request. */
const pageSize = 20;

const channels: NodeProperty = {
  displayName: 'Search in Channel',
  name: 'searchChannel',
  type: 'multiOptions',
  default: [],
  options: [],
  typeOptions: { loadOptionsMethod: 'getChannels' },
  description: 'Names of channels',
};

/** Searches messages; since version 2.7, with the Real-time Search API. */
export const search: Operation = {
  displayName: 'Search',
  description:
    'Searches messages; needs a user token, and from version 2.7 on the scope `search:read.public`, or that of another kind of channel',
  properties: [
    text('query', 'Search Query', 'Words and modifiers of the search of Slack', { required: true }),
    choice('sort', 'Sort By', choices(['desc', 'Newest'], ['asc', 'Oldest'], ['relevance', 'Relevance Score'])),
    ...listPropertiesOf(defaultLimit).map((property) => inVersions(property, until26)),
    inVersions(atLeast(1, number('limit', 'Limit', defaultLimit, 'Most results: up to 50')), since27),
    collection('options', 'Options', [
      channels,
      names(
        'channelTypes',
        'Channel Types',
        '`public_channel`, `private_channel`, `mpim`, `im`; default: the first',
        when(since27),
      ),
      text('after', 'After', 'Date, or seconds since 1970', when(since27)),
      text('before', 'Before', 'Date, or seconds since 1970', when(since27)),
      toggle('keywordSearchOnly', 'Keyword Search Only', 'Whether a question is searched for by its words only', when(since27)),
    ]),
  ],
  run: (item) => (item.version >= 2.7 ? searchInRealTime(item) : searchMessages(item)),
};

function queryOf(item: ServiceItem): Record<string, JsonValue> {
  const inChannels = [item.context.parameter<JsonValue>('options.searchChannel', item.index) ?? []].flat();
  const query = [item.required('query'), ...inChannels.map((name) => `in:${name}`)].join(' ');
  const sort = item.text('sort', 'desc');
  return { query, ...(sort === 'relevance' ? { sort: 'score' } : { sort: 'timestamp', sort_dir: sort }) };
}

const numberedPages: Paging = {
  list: 'messages.matches',
  next: ({ body }) => {
    const { page, pages } = objectOf(objectOf(objectOf(body)['messages'])['paging']);
    return Number(page) < Number(pages) ? { query: { page: Number(page) + 1 } } : undefined;
  },
};

function searchMessages(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(defaultLimit);
  const count = Math.min(limit, 100);
  return item.list(read('search.messages', { ...queryOf(item), count, page: 1 }), numberedPages, limit);
}

/** https://docs.slack.dev/reference/methods/assistant.search.context */
async function searchInRealTime(item: ServiceItem): Promise<JsonObject[]> {
  const limit = Math.min(item.number('limit', defaultLimit), mostResults);
  const types = namesParameter(item.context, 'options.channelTypes', item.index);
  const [after, before] = [await item.seconds('options.after'), await item.seconds('options.before')];
  const query = {
    ...queryOf(item),
    content_types: 'messages',
    ...(types.length > 0 && { channel_types: types.join() }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
    ...(item.toggle('options.keywordSearchOnly') && { disable_semantic_search: true }),
    limit: Math.min(limit, pageSize),
  };
  const paging = cursorPaging('results.messages', 'response_metadata.next_cursor', 'cursor');
  return item.list(read('assistant.search.context', query), paging, limit);
}
