import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const organization = 'https://api.calendly.com/organizations/O1';
const user = 'https://api.calendly.com/users/U1';
const owner = { 'scope!': { enum: ['user', 'organization'] }, 'organization!': { const: organization }, user: { const: user } };

/**
 * https://developer.calendly.com/api-docs/calendly-api, for the token `t1` of user `U1` in
 * organization `O1`.
 */
export function calendlyServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.calendly.com',
    headers: { authorization: /^Bearer t1$/ },
    routes: {
      'GET /users/me': { answer: () => ({ json: { resource: { uri: user, current_organization: organization } } }) },
      'GET /webhook_subscriptions': {
        query: fields({ ...owner, 'count!': { const: '100' }, page_token: text }),
        answer: () => ({ json: { collection: [], pagination: { next_page_token: null } } }),
      },
      'POST /webhook_subscriptions': {
        body: fields({
          ...owner,
          'url!': text,
          'events!': { type: 'array', minItems: 1, items: text },
          signing_key: { type: 'string', minLength: 32 },
        }),
        answer: () => ({ status: 201, json: { resource: { uri: 'https://api.calendly.com/webhook_subscriptions/W1' } } }),
      },
      'DELETE /webhook_subscriptions/:id': { answer: () => ({ status: 204 }) },
    },
  });
}
