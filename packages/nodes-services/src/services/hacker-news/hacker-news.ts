import { collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://hn.algolia.com/api */
const client = new ApiClient({
  service: 'Hacker News',
  credentialType: () => undefined,
  baseUrl: 'https://hn.algolia.com/api/v1',
});

const defaultLimit = 100;
const pageSize = 100;

const pages: Paging = {
  list: 'hits',
  next: ({ body }, _, page) => (page < Number(objectOf(body)['nbPages'] ?? 0) ? { query: { page } } : undefined),
};

const all: Resource = {
  displayName: 'All',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists or finds stories and comments',
      properties: [
        ...listPropertiesOf(defaultLimit),
        collection('additionalFields', 'Additional Fields', [
          text('keyword', 'Keyword', 'Words to find'),
          names('tags', 'Tags', 'Kinds such as `story`, `comment`, `poll`, `show_hn`, `ask_hn`, or `front_page`: any of them'),
        ]),
      ],
      run: find,
    },
  },
};

function find(item: ServiceItem) {
  const tags = namesParameter(item.context, 'additionalFields.tags', item.index);
  const limit = item.limit(defaultLimit);
  const query = {
    query: item.text('additionalFields.keyword'),
    tags: tags.length > 1 ? `(${tags.join()})` : tags.join(),
    hitsPerPage: Math.min(limit, pageSize),
  };
  return item.list({ path: '/search', query }, pages, limit);
}

const article: Resource = {
  displayName: 'Article',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a story or a comment',
      properties: [
        text('articleId', 'Article ID', 'ID of the story or comment', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          toggle('includeComments', 'Include Comments', 'Whether to return the comments, too'),
        ]),
      ],
      async run(item) {
        const found = objectOf(await item.send({ path: `/items/${encodeURIComponent(item.required('articleId'))}` }));
        const { children: _, ...withoutComments } = found;
        return item.toggle('additionalFields.includeComments') ? found : withoutComments;
      },
    },
  },
};

const user: Resource = {
  displayName: 'User',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [text('username', 'Username', 'Name of the user', { required: true })],
      run: (item) => item.send({ path: `/users/${encodeURIComponent(item.required('username'))}` }),
    },
  },
};

/** Reads Hacker News. */
export const hackerNews = defineService({
  displayName: 'Hacker News',
  name: 'hacker-news',
  version: 1,
  description: 'Reads stories, comments, and users of Hacker News',
  icon: 'fa:hacker-news',
  iconColor: 'orange',
  group: ['transform'],
  client,
  resources: { all, article, user },
  initial: 'article',
});
