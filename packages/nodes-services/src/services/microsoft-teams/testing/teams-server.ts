import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const answer = (json: unknown) => ({ answer: () => ({ json }) });
const message = fields({ 'body!': fields({ 'contentType!': { enum: ['text', 'html'] }, 'content!': text }) });
const page = fields({ $top: text, $skiptoken: text });

/** https://learn.microsoft.com/graph/api/resources/teams-api-overview */
export function teamsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://graph.microsoft.com',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      'GET /v1.0/me/joinedTeams': answer({ value: [{ id: 't1', displayName: 'Makers' }] }),
      'GET /v1.0/me/chats': answer({ value: [{ id: 'c1', topic: null, chatType: 'oneOnOne' }] }),
      'GET /v1.0/teams/:team/channels': answer({ value: [{ id: 'k1', displayName: 'General' }] }),
      'POST /v1.0/teams/:team/channels': {
        body: fields({ 'displayName!': text, description: text, 'membershipType!': { enum: ['standard', 'private'] } }),
        ...answer({ id: 'k2' }),
      },
      'GET /v1.0/teams/:team/channels/:channel': answer({ id: 'k1' }),
      'PATCH /v1.0/teams/:team/channels/:channel': {
        body: fields({ displayName: text, description: text }),
        answer: () => ({ status: 204 }),
      },
      'DELETE /v1.0/teams/:team/channels/:channel': { answer: () => ({ status: 204 }) },
      'GET /v1.0/teams/:team/channels/:channel/messages': { query: page, ...answer({ value: [{ id: 'm1' }] }) },
      'POST /v1.0/teams/:team/channels/:channel/messages': { body: message, ...answer({ id: 'm1' }) },
      'POST /v1.0/teams/:team/channels/:channel/messages/:id/replies': { body: message, ...answer({ id: 'm2' }) },
      'GET /v1.0/chats/:chat/messages': { query: page, ...answer({ value: [{ id: 'm1' }] }) },
      'POST /v1.0/chats/:chat/messages': { body: message, ...answer({ id: 'm1' }) },
      'GET /v1.0/chats/:chat/messages/:id': answer({ id: 'm1' }),
    },
  });
}
