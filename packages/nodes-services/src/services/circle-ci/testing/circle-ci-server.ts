import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };

/** https://circleci.com/docs/api/v2/, for the token `t1`; a list has two pages. */
export function circleCiServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://circleci.com',
    headers: { 'circle-token': /^t1$/ },
    routes: {
      'POST /api/v2/project/:vcs/:org/:project/pipeline': {
        body: fields({ branch: text, tag: text, parameters: { type: 'object' } }),
        answer: () => ({ status: 201, json: { id: 'p1', number: 25, state: 'pending' } }),
      },
      'GET /api/v2/project/:vcs/:org/:project/pipeline': {
        query: fields({ branch: text, 'page-token': { const: 'n1' } }),
        answer: ({ query }) => ({
          json: query['page-token']
            ? { items: [{ number: 1 }], next_page_token: null }
            : { items: [{ number: 3 }, { number: 2 }], next_page_token: 'n1' },
        }),
      },
      'GET /api/v2/project/:vcs/:org/:project/pipeline/:number': {
        answer: ({ params }) => ({ json: { number: Number(params['number']) } }),
      },
    },
  });
}
