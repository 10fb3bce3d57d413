import type { JsonValue } from '@sluice/node-sdk';
import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const channel = { type: 'string', pattern: '^([A-Z]\\w*|[#@][\\w-]+)$' };
const ts = { type: 'string', pattern: '^\\d+\\.\\d+$' };
const content = { text, blocks: { type: 'array' }, attachments: { type: 'array', items: { type: 'object' } } };
const page = { limit: { type: 'string', pattern: '^\\d+$' }, cursor: text };
const period = { oldest: text, latest: text, inclusive: text };
const posted = {
  'channel!': channel,
  ...content,
  link_names: flag,
  mrkdwn: flag,
  unfurl_links: flag,
  unfurl_media: flag,
  thread_ts: ts,
  reply_broadcast: flag,
  username: text,
  icon_emoji: { type: 'string', pattern: '^:.+:$' },
  icon_url: { type: 'string', pattern: '^https://' },
};

type Method = readonly [parameters: Record<string, unknown>, result: Record<string, JsonValue>];

/** Methods that read: parameters in the query. */
const reads: Readonly<Record<string, Method>> = {
  'chat.getPermalink': [{ 'channel!': channel, 'message_ts!': ts }, { permalink: 'https://a.slack.com/x' }],
  'conversations.info': [{ 'channel!': channel, include_num_members: text }, { channel: { id: 'C1' } }],
  'conversations.list': [
    { ...page, types: text, exclude_archived: text },
    {
      channels: [
        { id: 'C2', name: 'zoo' },
        { id: 'C1', name: 'general' },
      ],
    },
  ],
  'conversations.history': [{ 'channel!': channel, ...page, ...period }, { messages: [{ ts: '1.2' }] }],
  'conversations.replies': [{ 'channel!': channel, 'ts!': ts, ...page, ...period }, { messages: [{ ts: '1.3' }] }],
  'conversations.members': [{ 'channel!': channel, ...page }, { members: ['U1', 'U2'] }],
  'files.info': [{ 'file!': text }, { file: { id: 'F1' } }],
  'reactions.get': [{ 'channel!': channel, 'timestamp!': ts }, { message: { reactions: [] } }],
  'assistant.search.context': [
    {
      'query!': text,
      sort: { enum: ['score', 'timestamp'] },
      sort_dir: { enum: ['asc', 'desc'] },
      content_types: { const: 'messages' },
      channel_types: text,
      after: text,
      before: text,
      disable_semantic_search: text,
      limit: { pattern: '^(1?[1-9]|[12]0)$' },
      cursor: text,
    },
    { results: { messages: [{ content: 'a', message_ts: '1.2' }] } },
  ],
  'search.messages': [
    { 'query!': text, sort: { enum: ['score', 'timestamp'] }, sort_dir: { enum: ['asc', 'desc'] }, count: text, page: text },
    { messages: { matches: [{ ts: '1.2' }], paging: { page: 1, pages: 1 } } },
  ],
  'users.getPresence': [{ 'user!': text }, { presence: 'away' }],
  'users.info': [{ 'user!': text }, { user: { id: 'U1' } }],
  'users.list': [page, { members: [{ id: 'U1', name: 'ann' }] }],
  'users.profile.get': [{ 'user!': text }, { profile: { title: 'T' } }],
};

/** Methods that write: parameters in JSON. */
const writes: Readonly<Record<string, Method>> = {
  'chat.delete': [{ 'channel!': channel, 'ts!': ts }, { ts: '1.2' }],
  'chat.postEphemeral': [{ ...posted, 'user!': text }, { message_ts: '1.4' }],
  'chat.postMessage': [posted, { channel: 'C1', ts: '1.2', message: { text: 'Hello' } }],
  'chat.update': [{ 'channel!': channel, 'ts!': ts, ...content, link_names: flag, parse: text }, { ts: '1.2' }],
  'conversations.archive': [{ 'channel!': channel }, {}],
  'conversations.close': [{ 'channel!': channel }, {}],
  'conversations.create': [{ 'name!': text, is_private: flag }, { channel: { id: 'C3' } }],
  'conversations.invite': [{ 'channel!': channel, 'users!': text }, { channel: { id: 'C1' } }],
  'conversations.join': [{ 'channel!': channel }, { channel: { id: 'C1' } }],
  'conversations.kick': [{ 'channel!': channel, 'user!': text }, {}],
  'conversations.leave': [{ 'channel!': channel }, {}],
  'conversations.open': [{ channel, users: text, return_im: flag }, { channel: { id: 'D1' } }],
  'conversations.rename': [{ 'channel!': channel, 'name!': text }, { channel: { name: 'n' } }],
  'conversations.setPurpose': [{ 'channel!': channel, 'purpose!': text }, { channel: {} }],
  'conversations.setTopic': [{ 'channel!': channel, 'topic!': text }, { channel: {} }],
  'conversations.unarchive': [{ 'channel!': channel }, {}],
  'files.completeUploadExternal': [
    {
      'files!': { type: 'array', items: fields({ 'id!': text, title: text }) },
      channel_id: channel,
      channels: { type: 'string', pattern: '^[CDG]\\w+(,[CDG]\\w+)*$' },
      initial_comment: text,
      thread_ts: ts,
    },
    { files: [{ id: 'F1', title: 'a.txt' }] },
  ],
  'reactions.add': [{ 'channel!': channel, 'timestamp!': ts, 'name!': { type: 'string', pattern: '^[^:]+$' } }, {}],
  'reactions.remove': [{ 'channel!': channel, 'timestamp!': ts, 'name!': { type: 'string', pattern: '^[^:]+$' } }, {}],
};

const schema = (parameters: Record<string, unknown>) => fields(parameters as Parameters<typeof fields>[0]);

/** https://docs.slack.dev/reference/methods, for the token `xoxb-1`. */
export function slackServer(): Promise<ApiServer> {
  const answer = (result: Record<string, JsonValue>) => () => ({ json: { ok: true, ...result } });
  const routes: Record<string, ApiRoute> = {};
  for (const [name, [parameters, result]] of Object.entries(reads))
    routes[`GET /api/${name}`] = { query: schema(parameters), answer: answer(result) };
  for (const [name, [parameters, result]] of Object.entries(writes))
    routes[`POST /api/${name}`] = { body: schema(parameters), answer: answer(result) };
  routes['POST /api/files.getUploadURLExternal'] = {
    type: /^application\/x-www-form-urlencoded/,
    body: schema({ 'filename!': text, 'length!': { type: 'string', pattern: '^\\d+$' } }),
    answer: answer({ upload_url: 'https://slack.com/upload/1', file_id: 'F1' }),
  };
  routes['GET /files/1'] = { answer: () => ({ text: 'some text', headers: { 'content-type': 'text/plain' } }) };
  routes['POST /upload/1'] = { type: /^text\/plain/, body: { const: 'some text' }, answer: () => ({ text: 'OK' }) };
  return apiServer({ baseUrl: 'https://slack.com', headers: { authorization: /^Bearer xoxb-1$/ }, routes });
}
