import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const byClient = { 'x-gotify-key': /^client1$/ };

/** https://gotify.net/api-docs, for the tokens `app1` and `client1`; there are 101 messages. */
export function gotifyServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://push.example',
    routes: {
      'POST /message': {
        headers: { 'x-gotify-key': /^app1$/ },
        body: fields({
          'message!': text,
          title: text,
          priority: { type: 'integer' },
          extras: fields({ 'client::display!': fields({ 'contentType!': { enum: ['text/plain', 'text/markdown'] } }) }),
        }),
        answer: ({ body }) => ({ json: { id: 7, appid: 1, ...(body as object) } }),
      },
      'GET /message': {
        headers: byClient,
        query: fields({ 'limit!': { const: '100' }, since: { const: '2' } }),
        answer({ query }) {
          const isLast = query['since'] === '2';
          const messages = Array.from({ length: isLast ? 1 : 100 }, (_, index) => ({ id: isLast ? 1 : 101 - index }));
          const paging = isLast ? { size: 1, since: 0 } : { size: 100, since: 2, next: 'https://push.example/message?since=2' };
          return { json: { messages, paging } };
        },
      },
      'DELETE /message/:id': { headers: byClient, answer: () => ({}) },
    },
  });
}
