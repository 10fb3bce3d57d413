import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { post, thread } from './post.ts';
import {
  contentOf,
  defaultLimit,
  fullName,
  listed,
  listProperties,
  postId,
  redditClient,
  subreddit,
  subredditPath,
  write,
} from './reddit-client.ts';

const commentId = text('commentId', 'Comment ID', 'ID of the comment', { required: true });

const postComment: Resource = {
  displayName: 'Post Comment',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a comment to a post',
      properties: [postId, text('commentText', 'Comment Text', 'Text of the comment', { required: true })],
      run: (item) => comment(item, fullName(item, 'postId', 't3'), item.required('commentText')),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a comment of the account',
      properties: [commentId],
      run: (item) => item.perform({ path: '/api/del', form: { id: fullName(item, 'commentId', 't1') } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the first level of comments on a post',
      properties: [subreddit, postId, ...listProperties],
      run: async (item) => (await thread(item)).comments.slice(0, item.limit(defaultLimit)),
    },
    reply: {
      displayName: 'Reply',
      description: 'Replies to a comment',
      properties: [commentId, text('replyText', 'Reply Text', 'Text of the answer', { required: true })],
      run: (item) => comment(item, fullName(item, 'commentId', 't1'), item.required('replyText')),
    },
  },
};

async function comment(item: ServiceItem, parent: string, words: string) {
  const data = await write(item, '/api/comment', { thing_id: parent, text: words });
  const [first] = objectsOf(objectOf(data)['things']);
  return first ? contentOf(first) : data;
}

/** Value of `details` → path. */
const profilePaths: ReadonlyMap<string, string> = new Map([
  ['blockedUsers', '/prefs/blocked'],
  ['friends', '/api/v1/me/friends'],
  ['identity', '/api/v1/me'],
  ['karma', '/api/v1/me/karma'],
  ['prefs', '/api/v1/me/prefs'],
  ['trophies', '/api/v1/me/trophies'],
]);

const profile: Resource = {
  displayName: 'Profile',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets data of the account',
      properties: [
        choice(
          'details',
          'Details',
          choices(
            ['blockedUsers', 'Blocked Users'],
            ['friends', 'Friends'],
            ['identity', 'Identity'],
            ['karma', 'Karma'],
            ['prefs', 'Preferences'],
            ['trophies', 'Trophies'],
          ),
          { default: 'identity' },
        ),
      ],
      async run(item) {
        const path = profilePaths.get(item.text('details', 'identity')) ?? '/api/v1/me';
        const body = await item.send({ path });
        if (!isJsonObject(body)) return body;
        const { data, features: _, ...rest } = body;
        if (Array.isArray(data)) return data;
        const { children, trophies } = objectOf(data);
        return (children ?? trophies ?? data ?? rest) as JsonObject;
      },
    },
  },
};

const subreddits: Resource = {
  displayName: 'Subreddit',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a subreddit, or its rules',
      properties: [choice('content', 'Content', choices(['about', 'About'], ['rules', 'Rules'])), subreddit],
      async run(item) {
        const isRules = item.text('content', 'about') === 'rules';
        const body = await item.send({ path: `${subredditPath(item)}/about${isRules ? '/rules' : ''}` });
        if (!isJsonObject(body)) return body;
        return isRules ? body['rules'] : contentOf(body);
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Finds subreddits, or lists popular ones',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('keyword', 'Keyword', 'Words to find'),
          toggle('trending', 'Trending', 'Whether to list popular subreddits'),
        ]),
      ],
      run: (item) => {
        const q = item.text('filters.keyword');
        if (q !== '' && !item.toggle('filters.trending')) return listed(item, { path: '/subreddits/search', query: { q } });
        return listed(item, { path: item.toggle('filters.trending') ? '/subreddits/popular' : '/subreddits/default' });
      },
    },
  },
};

const user: Resource = {
  displayName: 'User',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a user, or posts and comments of the user',
      properties: [
        text('username', 'Username', 'Name of the user', { required: true }),
        choice(
          'details',
          'Details',
          choices(
            ['about', 'About'],
            ['comments', 'Comments'],
            ['gilded', 'Gilded'],
            ['overview', 'Overview'],
            ['submitted', 'Submitted'],
          ),
        ),
        ...listProperties.map((property) => ({
          ...property,
          ...where({ details: ['comments', 'gilded', 'overview', 'submitted'], ...property.displayOptions?.show }),
        })),
      ],
      async run(item) {
        const details = item.text('details', 'about');
        const path = `/user/${encodeURIComponent(item.required('username'))}/${encodeURIComponent(details)}`;
        if (details !== 'about') return listed(item, { path });
        const body = await item.send({ path });
        return isJsonObject(body) ? contentOf(body) : body;
      },
    },
  },
};

export const reddit = defineService({
  displayName: 'Reddit',
  name: 'reddit',
  version: 1,
  description: 'Finds, submits, and comments on Reddit posts',
  credentials: [{ name: 'redditOAuth2Api', required: true }],
  icon: 'fa:comments',
  iconColor: 'orange',
  client: redditClient,
  resources: { post, postComment, profile, subreddit: subreddits, user },
});
