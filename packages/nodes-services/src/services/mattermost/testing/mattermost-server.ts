import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const ids = { type: 'array', items: text, minItems: 1, maxItems: 100 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const page = { 'page!': digits, 'per_page!': digits };
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const done = answer({ status: 'OK' });

const action = fields({
  id: text,
  'name!': text,
  type: { enum: ['button', 'select'] },
  data_source: text,
  style: text,
  options: { type: 'array', items: fields({ 'text!': text, 'value!': text }) },
  integration: fields({ 'url!': text, context: { type: 'object', additionalProperties: text } }),
});
const attachment = fields({
  actions: { type: 'array', items: action },
  color: text,
  fields: { type: 'array', items: fields({ 'title!': text, 'value!': text, short: flag }) },
  text,
  title: text,
});
const channel = { id: 'c1', display_name: 'Town', name: 'town', type: 'O' };

/** https://developers.mattermost.com/api-documentation/, for the token `token1`. */
export function mattermostServer(): Promise<ApiServer> {
  const api: Record<string, ApiRoute> = {
    'POST /channels': {
      body: fields({ 'team_id!': text, 'display_name!': text, 'name!': text, 'type!': { enum: ['O', 'P'] } }),
      ...answer(channel),
    },
    'DELETE /channels/:id': done,
    'POST /channels/:id/members': { body: fields({ 'user_id!': text }), ...answer({ channel_id: 'c1', user_id: 'u1' }) },
    'GET /channels/:id/members': { query: fields(page), ...answer([{ channel_id: 'c1', user_id: 'u1' }]) },
    'POST /channels/:id/restore': answer(channel),
    'GET /channels/:id/stats': answer({ channel_id: 'c1', member_count: 3 }),
    'POST /teams/:id/channels/search': { body: fields({ 'term!': text }), ...answer([channel, { id: 'c2' }]) },
    'POST /teams/:id/invite/email': { body: ids, ...done },
    'POST /posts': {
      body: fields({
        'channel_id!': text,
        'message!': { type: 'string' },
        root_id: text,
        props: { type: 'object', properties: { attachments: { type: 'array', items: attachment } } },
      }),
      answer: ({ body }) => {
        const { channel_id, message } = body as Record<string, string>;
        return { status: 201, json: { id: 'p1', channel_id, message } };
      },
    },
    'POST /posts/ephemeral': {
      body: fields({ 'user_id!': text, 'post!': fields({ 'channel_id!': text, 'message!': text }) }),
      ...answer({ id: 'p2' }),
    },
    'DELETE /posts/:id': done,
    'GET /posts/:id/reactions': answer([{ emoji_name: 'ok' }, { emoji_name: 'no' }]),
    'POST /reactions': {
      body: fields({ 'user_id!': text, 'post_id!': text, 'emoji_name!': text }),
      ...answer({ emoji_name: 'ok' }),
    },
    'DELETE /users/:user/posts/:post/reactions/:emoji': done,
    'POST /users': {
      body: fields({
        'username!': text,
        auth_data: text,
        auth_service: text,
        email: text,
        first_name: text,
        notify_props: { type: 'object', additionalProperties: text },
        password: text,
      }),
      ...answer({ id: 'u2' }),
    },
    'GET /users': {
      query: fields({ ...page, in_team: text, not_in_channel: text, sort: text }),
      ...answer([{ id: 'u1', username: 'ada' }]),
    },
    'DELETE /users/:id': done,
    'GET /users/email/:email': answer({ id: 'u1' }),
    'POST /users/ids': { query: fields({ since: digits }), body: ids, ...answer([{ id: 'u1', username: 'ada' }]) },
    'GET /users/me/channels': answer([channel, { id: 'd1', type: 'D' }]),
    'GET /users/me/teams': answer([{ id: 't1', display_name: 'Team' }]),
    'GET /users/me/teams/:id/channels': answer([{ ...channel, type: 'P' }]),
  };
  return apiServer({
    baseUrl: 'https://chat.example',
    headers: { authorization: /^Bearer token1$/ },
    routes: Object.fromEntries(Object.entries(api).map(([name, route]) => [name.replace(' ', ' /api/v4'), route])),
  });
}
