import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const id = { type: 'string', pattern: '^\\d+$' };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' };
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const tweetBody = fields({ 'tweet_id!': id });

/** https://docs.x.com/x-api, for the token `t` or a signature of OAuth 1. */
export function twitterServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.x.com',
    headers: { authorization: /^(Bearer t|OAuth .*oauth_signature=.*)$/ },
    routes: {
      'GET /2/users/me': answer({ data: { id: '1', username: 'me' } }),
      'GET /2/users/:id': answer({ data: { id: '5', username: 'ann' } }),
      'GET /2/users/by/username/:name': answer({ data: { id: '5', username: 'ann' } }),
      'POST /2/users/1/likes': { body: tweetBody, ...answer({ data: { liked: true } }) },
      'POST /2/users/1/retweets': { body: tweetBody, ...answer({ data: { retweeted: true } }) },
      'POST /2/tweets': {
        body: fields({
          'text!': text,
          media: fields({ 'media_ids!': { type: 'array', items: id, maxItems: 4 } }),
          reply: fields({ 'in_reply_to_tweet_id!': id }),
          quote_tweet_id: id,
          geo: fields({ 'place_id!': text }),
        }),
        answer: () => ({ status: 201, json: { data: { id: '7', text: 'Hello' } } }),
      },
      'DELETE /2/tweets/:id': answer({ data: { deleted: true } }),
      'GET /2/tweets/search/recent': {
        query: fields({
          'query!': text,
          'max_results!': { type: 'string', pattern: '^([1-9]\\d|100)$' },
          sort_order: { enum: ['recency', 'relevancy'] },
          start_time: time,
          end_time: time,
          'tweet.fields': text,
          next_token: text,
        }),
        ...answer({ data: [{ id: '7', text: 'Hello' }], meta: { result_count: 1 } }),
      },
      'POST /2/media/upload': {
        body: fields({ 'media_category!': { const: 'tweet_image' }, 'media!': { type: 'object' } }),
        ...answer({ data: { id: '9' } }),
      },
      'POST /2/dm_conversations/with/5/messages': {
        body: fields({ 'text!': text, attachments: { type: 'array', items: fields({ 'media_id!': id }) } }),
        answer: () => ({ status: 201, json: { data: { dm_event_id: '3' } } }),
      },
      'POST /2/lists/:list/members': { body: fields({ 'user_id!': id }), ...answer({ data: { is_member: true } }) },
    },
  });
}
