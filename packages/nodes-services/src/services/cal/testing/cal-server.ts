import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };

const list: ApiRoute = {
  query: fields({ 'take!': digits, 'skip!': digits }),
  answer: () => ({ json: { status: 'success', data: [] } }),
};
const create: ApiRoute = {
  body: fields({
    'active!': { type: 'boolean' },
    'subscriberUrl!': text,
    'triggers!': { type: 'array', minItems: 1, items: text },
    secret: text,
    payloadTemplate: text,
  }),
  answer: ({ body }) => ({ status: 201, json: { status: 'success', data: { id: 'w1', ...(body as object) } } }),
};
const remove: ApiRoute = { answer: () => ({ json: { status: 'success' } }) };

/** https://cal.com/docs/api-reference/v2, for the key `cal_1`. */
export function calServer(baseUrl = 'https://api.cal.com'): Promise<ApiServer> {
  return apiServer({
    baseUrl,
    headers: { authorization: /^Bearer cal_1$/ },
    routes: {
      'GET /v2/webhooks': list,
      'POST /v2/webhooks': create,
      'DELETE /v2/webhooks/:id': remove,
      'GET /v2/event-types': {
        headers: { 'cal-api-version': /^2024-06-14$/ },
        answer: () => ({ json: { status: 'success', data: [{ id: 7, title: 'Call' }] } }),
      },
      'GET /v2/event-types/:type/webhooks': list,
      'POST /v2/event-types/:type/webhooks': create,
      'DELETE /v2/event-types/:type/webhooks/:id': remove,
    },
  });
}
