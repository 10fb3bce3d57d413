import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const id = { type: 'string', pattern: '^\\d+$' };
const count = { type: 'string', pattern: '^\\d+$' };
const flag = { type: 'boolean' };
const url = { type: 'string', pattern: '^https://' };

const embed = fields({
  title: text,
  description: text,
  url,
  timestamp: { type: 'string', pattern: '^\\d{4}-' },
  color: { type: 'integer', maximum: 0xff_ff_ff },
  author: fields({ 'name!': text }),
  image: fields({ 'url!': url }),
  thumbnail: fields({ 'url!': url }),
  video: fields({ 'url!': url }),
});
const message = {
  content: { type: 'string', maxLength: 2_000 },
  embeds: { type: 'array', items: embed, maxItems: 10 },
  flags: { type: 'integer' },
  tts: flag,
};
const webhookMessage = {
  ...message,
  username: text,
  avatar_url: url,
  allowed_mentions: { type: 'object' },
  components: { type: 'array' },
  attachments: { type: 'array' },
};
const reference = fields({ 'message_id!': id });
const formOf = (payload: string) => ({
  type: 'object',
  required: ['payload_json'],
  properties: { payload_json: { type: 'string', pattern: payload } },
  patternProperties: { '^files\\[\\d\\]$': { type: 'object', required: ['name', 'type', 'text'] } },
  additionalProperties: false,
});
const channel = {
  bitrate: { type: 'integer', minimum: 8_000 },
  nsfw: flag,
  parent_id: id,
  position: { type: 'integer' },
  rate_limit_per_user: { type: 'integer' },
  topic: text,
  user_limit: { type: 'integer' },
};
const page = { limit: count, before: id, after: id };
const sample = { id: '7', channel_id: '2', content: 'Hello' };
const success: ApiRoute = { answer: () => ({ status: 204 }) };
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const bot = { authorization: /^Bot b$/ };

const api: Readonly<Record<string, ApiRoute>> = {
  'GET /users/@me/guilds': { query: fields(page), ...answer([{ id: '1', name: 'Makers' }]) },
  'POST /users/@me/channels': { body: fields({ 'recipient_id!': id }), ...answer({ id: '9' }) },
  'GET /guilds/:guild/channels': answer([
    { id: '2', type: 0, name: 'general' },
    { id: '3', type: 4, name: 'Rooms' },
    { id: '4', type: 2, name: 'voice' },
  ]),
  'POST /guilds/:guild/channels': {
    body: fields({ 'name!': text, 'type!': { enum: [0, 2, 4] }, ...channel }),
    ...answer({ id: '5' }),
  },
  'GET /guilds/:guild/roles': answer([{ id: '6', name: 'Admin' }]),
  'GET /guilds/:guild/members': {
    query: fields(page),
    ...answer([{ user: { id: '8', username: 'ann', avatar: null }, roles: ['6'], nick: null }]),
  },
  'PUT /guilds/:guild/members/:user/roles/:role': success,
  'DELETE /guilds/:guild/members/:user/roles/:role': success,
  'GET /channels/:channel': answer({ id: '2' }),
  'PATCH /channels/:channel': { body: fields({ name: text, ...channel }), ...answer({ id: '2' }) },
  'DELETE /channels/:channel': answer({ id: '2' }),
  'GET /channels/:channel/messages': {
    query: fields(page),
    ...answer([{ ...sample, author: { id: '8', username: 'ann' }, tts: false }]),
  },
  'POST /channels/:channel/messages': {
    body: { anyOf: [fields({ ...message, message_reference: reference, components: { type: 'array' } }), formOf('^\\{')] },
    ...answer(sample),
  },
  'GET /channels/:channel/messages/:message': answer({ ...sample, author: { id: '8', username: 'ann', bot: true }, type: 0 }),
  'DELETE /channels/:channel/messages/:message': success,
  'PUT /channels/:channel/messages/:message/reactions/:emoji/@me': success,
};

/** https://discord.com/developers/docs/reference, version 10, with a webhook. */
export function discordServer(): Promise<ApiServer> {
  const routes = Object.entries(api).map(([name, route]): [string, ApiRoute] => [
    name.replace(' ', ' /api/v10'),
    { ...route, headers: bot },
  ]);
  const webhook: ApiRoute = {
    query: fields({ wait: { enum: ['true', 'false'] } }),
    body: { anyOf: [fields(webhookMessage), formOf('^\\{')] },
    answer: ({ query }) => (query['wait'] === 'true' ? { json: sample } : { status: 204 }),
  };
  return apiServer({
    baseUrl: 'https://discord.com',
    routes: { ...Object.fromEntries(routes), 'POST /api/webhooks/1/secret': webhook },
  });
}
