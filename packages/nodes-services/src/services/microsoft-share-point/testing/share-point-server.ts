import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const values = { type: 'object', minProperties: 1 };
const root = '/_api/v2.0/sites/:site';
const select = { $select: text };
const file = { id: 'f1', name: 'a b.txt', file: { mimeType: 'text/plain' } };
const items = `${root}/lists/:list/items`;
const list = (value: object[], query: Record<string, object> = {}): ApiRoute => ({
  query: fields({ ...select, ...query }),
  answer: () => ({ json: { value } }),
});
const stored: ApiRoute = {
  type: /^text\/plain/,
  body: { type: 'string' },
  answer: ({ params, body }) => ({
    json: { id: params['file'] ?? 'f2', name: params['name'] ?? 'a b.txt', size: String(body).length },
  }),
};

/** https://learn.microsoft.com/sharepoint/dev/apis/sharepoint-rest-graph, for the tenant `acme`. */
export function sharePointServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://acme.sharepoint.com',
    headers: { authorization: /^Bearer t1$/ },
    routes: {
      'GET /_api/v2.0/sites': list([{ id: 'acme.sharepoint.com,s1,w1', displayName: 'Home' }], { 'search!': text }),
      [`GET ${root}/drive/items/:folder/children`]: list([file, { id: 'd1', name: 'Docs', folder: {} }]),
      [`GET ${root}/drive/root/:search`]: list([file, { id: 'd2', name: 'Deep', folder: {} }]),
      [`GET ${root}/drive/items/:file`]: { query: fields(select), answer: () => ({ json: file }) },
      [`GET ${root}/drive/items/:file/content`]: {
        answer: ({ params }) =>
          params['file'] === 'f9' ? { status: 404, json: { error: { code: 'itemNotFound' } } } : { text: 'Hello' },
      },
      [`PUT ${root}/drive/items/:folder::/:name::/content`]: stored,
      [`PUT ${root}/drive/items/:file/content`]: stored,
      [`PATCH ${root}/drive/items/:file`]: {
        body: fields({ 'name!': text }),
        answer: ({ body }) => ({ json: { id: 'f1', ...(body as object) } }),
      },
      [`GET ${root}/lists`]: list([
        { id: 'l1', displayName: 'Tasks' },
        { id: 'l2', displayName: 'Events' },
      ]),
      [`GET ${root}/lists/:list`]: { query: fields(select), answer: ({ params }) => ({ json: { id: params['list'] } }) },
      [`GET ${items}`]: {
        query: fields({ ...select, $expand: text, $filter: text, $top: text, page: text }),
        answer: ({ query: { page } }) => ({
          json:
            page === undefined
              ? {
                  value: [{ id: '1', fields: { Title: 'A' } }],
                  '@odata.nextLink': 'https://acme.sharepoint.com/_api/v2.0/sites/s/lists/l1/items?page=2',
                }
              : { value: [{ id: '2', fields: { Title: 'B' } }] },
        }),
      },
      [`POST ${items}`]: {
        body: fields({ 'fields!': values }),
        answer: ({ body }) => ({ status: 201, json: { id: '7', ...(body as object) } }),
      },
      [`GET ${items}/:item`]: {
        query: fields({ ...select, '$expand!': text }),
        answer: ({ params }) => ({ json: { id: params['item'] } }),
      },
      [`DELETE ${items}/:item`]: { answer: () => ({ status: 204 }) },
      [`PATCH ${items}/:item/fields`]: {
        body: values,
        answer: ({ params, body }) =>
          params['item'] === '404'
            ? { status: 404, json: { error: { code: 'itemNotFound', message: 'The specified list item was not found' } } }
            : { json: body },
      },
    },
  });
}
