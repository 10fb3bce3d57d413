import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const digits = { type: 'string', pattern: '^[0-9]+$' };

/** https://www.typeform.com/developers/webhooks/, for the token `tfp1`. */
export function typeformServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.typeform.com',
    headers: { authorization: /^Bearer tfp1$/ },
    routes: {
      'GET /forms': {
        query: fields({ 'page_size!': digits, page: digits }),
        answer: ({ query }) => ({ json: { total_items: 201, items: listOf(query['page'] === '2' ? 1 : 200) } }),
      },
      'GET /forms/:id/webhooks': { answer: () => ({ json: { items: [] } }) },
      'PUT /forms/:id/webhooks/:tag': {
        body: fields({ 'url!': text, 'enabled!': flag, 'secret!': text, verify_ssl: flag }),
        answer: ({ params }) => ({ json: { tag: params['tag'] } }),
      },
      'DELETE /forms/:id/webhooks/:tag': { answer: () => ({ status: 204 }) },
    },
  });
}

const listOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id: `f${id}`, title: `Form ${id}` }));
