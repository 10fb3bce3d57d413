import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, text, when } from '@sluice/nodes-base/node-tools';
import type { Produced, Resource } from '../../shared/define-service.ts';
import { asText, commaSeparated } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { dataOf, ownId, tweetOf, tweetProperty } from './twitter-client.ts';

const replyTo = text('inReplyToStatusId', 'Reply to Tweet', 'The post to reply to: by ID or by URL');
const times = { type: 'dateTime' } as const;
/** https://docs.x.com/x-api/fundamentals/data-dictionary#tweet */
const tweetFields = [
  ['attachments', 'Attachments'],
  ['author_id', 'Author ID'],
  ['context_annotations', 'Context Annotations'],
  ['conversation_id', 'Conversation ID'],
  ['created_at', 'Created At'],
  ['edit_controls', 'Edit Controls'],
  ['entities', 'Entities'],
  ['geo', 'Geo'],
  ['id', 'ID'],
  ['in_reply_to_user_id', 'In Reply To User ID'],
  ['lang', 'Lang'],
  ['non_public_metrics', 'Non Public Metrics'],
  ['public_metrics', 'Public Metrics'],
  ['organic_metrics', 'Organic Metrics'],
  ['promoted_metrics', 'Promoted Metrics'],
  ['possibly_sensitive', 'Possibly Sensitive'],
  ['referenced_tweets', 'Referenced Tweets'],
  ['reply_settings', 'Reply Settings'],
  ['source', 'Source'],
  ['text', 'Text'],
  ['withheld', 'Withheld'],
] satisfies [string, string][];

const defaultLimit = 50;

/** https://docs.x.com/x-api/posts */
export const tweet: Resource = {
  displayName: 'Tweet',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates, quotes, or replies to a post',
      properties: [
        text('text', 'Text', 'Text of the post', { required: true }),
        collection(
          'additionalFields',
          'Options',
          [
            text('attachments', 'Attachments', 'Properties of the item that have images or videos, separated by commas'),
            replyTo,
          ],
          when([1]),
        ),
        collection(
          'additionalFields',
          'Options',
          [
            text('location', 'Location ID', 'ID of a place'),
            text('attachments', 'Media ID', 'IDs of uploaded media, separated by commas, at most 4'),
            text('inQuoteToStatusId', 'Quote a Tweet', 'The post to quote: by ID or by URL'),
            replyTo,
          ],
          when([2]),
        ),
      ],
      run: create,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a post of the connected user',
      properties: [tweetProperty('tweetDeleteId')],
      run: (item) =>
        dataOf(item.send({ method: 'DELETE', path: `/tweets/${encodeURIComponent(tweetOf(item, 'tweetDeleteId'))}` })),
    },
    like: {
      displayName: 'Like',
      description: 'Likes a post',
      properties: [tweetProperty('tweetId')],
      run: (item) => mark(item, 'likes'),
    },
    retweet: {
      displayName: 'Retweet',
      description: 'Reposts a post',
      properties: [tweetProperty('tweetId')],
      run: (item) => mark(item, 'retweets'),
    },
    search: {
      displayName: 'Search',
      description: 'Finds posts of the last seven days',
      properties: [
        text('searchText', 'Search Term', 'Words and operators of the search of X, at most 512 characters', { required: true }),
        ...listPropertiesOf(defaultLimit),
        collection('additionalFields', 'Options', [
          choice('sortOrder', 'Sort Order', choices(['recency', 'Recent'], ['relevancy', 'Relevant'])),
          text('startTime', 'After', 'Earliest time of posts', times),
          text('endTime', 'Before', 'Latest time of posts', times),
          {
            displayName: 'Tweet Fields',
            name: 'tweetFieldsObject',
            type: 'multiOptions',
            default: [],
            options: choices(...tweetFields),
            description: 'Fields to return besides ID and text',
          },
          choice('resultType', 'Result Type', choices(['mixed', 'Mixed'], ['recent', 'Recent'], ['popular', 'Popular']), {
            description: 'Of version 1: popular posts are the relevant ones',
            ...when([1]),
          }),
        ]),
      ],
      run: search,
    },
  },
};

/** Maximum length of a media list. */
const maxNames = 1_000;

async function create(item: ServiceItem): Promise<Produced> {
  const { attachments, location } = item.fields('additionalFields');
  if (asText(attachments).length > maxNames) throw item.error('a post has at most 4 media', 'Name fewer attachments');
  const names = commaSeparated(attachments)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const media = item.version === 1 ? await uploadAll(item, names) : names;
  const optional = (path: string) =>
    item.fields('additionalFields')[path] === undefined ? undefined : tweetOf(item, `additionalFields.${path}`);
  const [reply, quote] = [optional('inReplyToStatusId'), optional('inQuoteToStatusId')];
  return dataOf(
    item.send({
      path: '/tweets',
      json: {
        text: item.required('text'),
        ...(media.length > 0 && { media: { media_ids: media } }),
        ...(reply !== undefined && { reply: { in_reply_to_tweet_id: reply } }),
        ...(quote !== undefined && { quote_tweet_id: quote }),
        ...(location !== undefined && { geo: { place_id: location } }),
      },
    }),
  );
}

/** Images up to 5 MB: https://docs.x.com/x-api/media/upload-media */
async function uploadAll(item: ServiceItem, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const file = item.file(name);
    if (!file.mimeType.startsWith('image/'))
      throw item.error(
        `the file "${name}" is not an image`,
        'Upload videos with an HTTP Request node, and use version 2 with the media ID',
      );
    const list = [
      { name: 'media_category', value: 'tweet_image' },
      { name: 'media', file },
    ];
    const data = await dataOf(item.send({ path: '/media/upload', parts: { from: item.context.binary, list } }));
    ids.push(asText((data as JsonObject | undefined)?.['id'] ?? ''));
  }
  return ids;
}

async function mark(item: ServiceItem, edge: 'likes' | 'retweets'): Promise<JsonValue | undefined> {
  const path = `/users/${await ownId(item)}/${edge}`;
  return dataOf(item.send({ path, json: { tweet_id: tweetOf(item, 'tweetId') } }));
}

/** A page has 10 to 100 posts. */
async function search(item: ServiceItem): Promise<JsonObject[]> {
  const { sortOrder, tweetFieldsObject = [], resultType } = item.fields('additionalFields');
  const limit = item.limit(defaultLimit);
  const query = {
    query: item.required('searchText'),
    max_results: Math.min(100, Math.max(10, limit)),
    sort_order: resultType === 'popular' ? 'relevancy' : sortOrder,
    start_time: await instant(item, 'startTime'),
    end_time: await instant(item, 'endTime'),
    'tweet.fields': [tweetFieldsObject].flat().join(','),
  };
  return item.list({ path: '/tweets/search/recent', query }, cursorPaging('data', 'meta.next_token', 'next_token'), limit);
}

/** X rejects milliseconds. */
async function instant(item: ServiceItem, name: string): Promise<string | undefined> {
  return (await item.time(`additionalFields.${name}`))?.toISOString().replace(/\.\d+Z$/, 'Z');
}
