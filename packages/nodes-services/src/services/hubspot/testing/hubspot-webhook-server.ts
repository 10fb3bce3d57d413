import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const key = fields({ 'hapikey!': { const: 'key1' } });

/** https://developers.hubspot.com/docs/api-reference/legacy/webhooks/guide, for app 42. */
export function hubspotWebhookServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.hubapi.com',
    routes: {
      'GET /webhooks/v3/42/settings': { query: key, answer: () => ({ status: 404, json: { message: 'no settings' } }) },
      'PUT /webhooks/v3/42/settings': {
        query: key,
        body: fields({
          'targetUrl!': text,
          'throttling!': fields({
            'maxConcurrentRequests!': { type: 'integer', minimum: 5 },
            'period!': { const: 'SECONDLY' },
          }),
        }),
        answer: ({ body }) => ({ json: body }),
      },
      'DELETE /webhooks/v3/42/settings': { query: key, answer: () => ({ status: 204 }) },
      'GET /webhooks/v3/42/subscriptions': { query: key, answer: () => ({ json: { results: [] } }) },
      'POST /webhooks/v3/42/subscriptions': {
        query: key,
        body: fields({ 'eventType!': text, propertyName: text, 'active!': { const: true } }),
        answer: ({ count }) => ({ status: 201, json: { id: String(count) } }),
      },
      'DELETE /webhooks/v3/42/subscriptions/:id': { query: key, answer: () => ({ status: 204 }) },
    },
  });
}
