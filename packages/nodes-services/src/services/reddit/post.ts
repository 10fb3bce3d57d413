import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { contentOf, fullName, listed, listProperties, postId, subreddit, subredditPath, write } from './reddit-client.ts';

const category = choice(
  'category',
  'Category',
  choices(
    ['hot', 'Hot Posts'],
    ['new', 'New Posts'],
    ['rising', 'Rising Posts'],
    ['top', 'Top Posts'],
    ['controversial', 'Controversial Posts'],
  ),
  { description: 'List of the subreddit; default: hot posts' },
);

export const post: Resource = {
  displayName: 'Post',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Submit',
      description: 'Submits a post to a subreddit',
      properties: [
        subreddit,
        choice('kind', 'Kind', choices(['self', 'Text Post'], ['link', 'Link Post'], ['image', 'Image Post'])),
        text('title', 'Title', 'Title of the post, at most 300 characters', { required: true }),
        text('url', 'URL', 'Address of the link or image', { required: true, ...where({ kind: ['link', 'image'] }) }),
        text('text', 'Text', 'Text of the post', where({ kind: ['self'] })),
        toggle('resubmit', 'Resubmit', 'Whether to post a link that was posted before', where({ kind: ['link', 'image'] })),
      ],
      run: (item) => {
        const kind = item.text('kind', 'self');
        const content: Record<string, string> =
          kind === 'self'
            ? { text: item.text('text') }
            : { url: item.required('url'), resubmit: asText(item.toggle('resubmit')) };
        const sr = item.required('subreddit').replace(/^\/?r\//, '');
        return write(item, '/api/submit', { sr, kind, title: item.required('title'), ...content });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a post of the account',
      properties: [postId],
      run: (item) => item.perform({ path: '/api/del', form: { id: fullName(item, 'postId', 't3') } }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a post',
      properties: [subreddit, postId],
      run: async (item) => (await thread(item)).post,
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the posts of a subreddit',
      properties: [subreddit, ...listProperties, collection('filters', 'Filters', [category])],
      run: (item) =>
        listed(item, { path: `${subredditPath(item)}/${encodeURIComponent(item.text('filters.category', 'hot') || 'hot')}` }),
    },
    search: {
      displayName: 'Search',
      description: 'Finds posts',
      properties: [
        choice('location', 'Location', choices(['allReddit', 'All Reddit'], ['subreddit', 'Subreddit']), {
          default: 'subreddit',
        }),
        { ...subreddit, ...where({ location: ['subreddit'] }) },
        text('keyword', 'Keyword', 'Words to find', { required: true }),
        ...listProperties,
        collection('additionalFields', 'Additional Fields', [
          choice(
            'sort',
            'Sort',
            choices(['comments', 'Comments'], ['hot', 'Hot'], ['new', 'New'], ['top', 'Top'], ['relevance', 'Relevance']),
            { default: 'relevance' },
          ),
        ]),
      ],
      run: (item) => {
        const isLocal = item.text('location', 'subreddit') === 'subreddit';
        const query = {
          q: item.required('keyword'),
          ...(isLocal && { restrict_sr: 'on' }),
          sort: item.text('additionalFields.sort'),
        };
        return listed(item, { path: `${isLocal ? subredditPath(item) : ''}/search`, query });
      },
    },
  },
};

/** A post and its comments. */
export async function thread(item: ServiceItem): Promise<{ post: JsonObject; comments: JsonObject[] }> {
  const id = encodeURIComponent(item.required('postId').replace(/^t3_/, ''));
  const body = await item.send({ path: `${subredditPath(item)}/comments/${id}` });
  const [posts = [], comments = []] = (Array.isArray(body) ? body : []).map(childrenOf);
  const [first = {}] = posts;
  return { post: first, comments };
}

function childrenOf(listing: JsonValue): JsonObject[] {
  const { children } = objectOf(objectOf(listing)['data']);
  return objectsOf(children)
    .filter(({ kind }) => kind !== 'more')
    .map(contentOf);
}
