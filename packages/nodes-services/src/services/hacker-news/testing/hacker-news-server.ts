import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const hit = (id: number) => ({ objectID: String(id), title: 'Workflows at scale', author: 'ada', points: 42 });

/** https://hn.algolia.com/api; the search has 101 results. */
export function hackerNewsServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://hn.algolia.com',
    routes: {
      'GET /api/v1/search': {
        query: fields({
          query: { type: 'string' },
          tags: { type: 'string', pattern: '^(\\w+|\\(\\w+(,\\w+)+\\))$' },
          'hitsPerPage!': { type: 'string', pattern: '^([1-9]\\d?|100)$' },
          page: { const: '1' },
        }),
        answer: ({ query }) => {
          const size = query['page'] === '1' ? 1 : Math.min(100, Number(query['hitsPerPage']));
          return { json: { hits: Array.from({ length: size }, (_, index) => hit(index + 1)), nbPages: 2 } };
        },
      },
      'GET /api/v1/items/:id': {
        answer: ({ params }) => ({ json: { id: Number(params['id']), title: 'Workflows at scale', children: [{ id: 8 }] } }),
      },
      'GET /api/v1/users/:name': { answer: ({ params }) => ({ json: { username: params['name'], karma: 7 } }) },
    },
  });
}
