import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const $id = { type: 'integer' };
const bookmark = {
  title: text,
  important: { type: 'boolean' },
  order: { type: 'integer' },
  tags: { type: 'array', items: text },
  pleaseParse: fields({}),
};
const collection = {
  parent: fields({ '$id!': $id }),
  public: { type: 'boolean' },
  view: { enum: ['list', 'simple', 'grid', 'masonry'] },
};
const page = fields({ 'perpage!': { const: '50' }, page: { type: 'string', pattern: '^\\d+$' } });
const done = { answer: () => ({ json: { result: true } }) };
const item = (value: object) => ({ json: { result: true, item: value } });
const items = (value: object[]) => ({ json: { result: true, items: value } });

/** https://developer.raindrop.io, for the token `t`; each collection has 51 bookmarks. */
export function raindropServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.raindrop.io',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      'POST /rest/v1/raindrop': {
        body: fields({ 'link!': text, 'collection!': fields({ '$id!': $id }), ...bookmark }),
        answer({ body }) {
          const { collection: _, pleaseParse: __, ...stored } = body as Record<string, unknown>;
          return item({ _id: 7, ...stored });
        },
      },
      'GET /rest/v1/raindrop/:id': { answer: ({ params }) => item({ _id: Number(params['id']) }) },
      'PUT /rest/v1/raindrop/:id': {
        body: fields({ link: text, collection: fields({ '$id!': $id }), ...bookmark }),
        answer: ({ params }) => item({ _id: Number(params['id']) }),
      },
      'DELETE /rest/v1/raindrop/:id': done,
      'GET /rest/v1/raindrops/:id': {
        query: page,
        answer: ({ query }) => items(Array.from({ length: query['page'] === '1' ? 1 : 50 }, (_, _id) => ({ _id }))),
      },
      'GET /rest/v1/collections': { answer: () => items([{ _id: 1 }, { _id: 2 }]) },
      'GET /rest/v1/collections/childrens': { answer: () => items([{ _id: 3 }]) },
      'POST /rest/v1/collection': { body: fields({ 'title!': text, ...collection }), answer: () => item({ _id: 4 }) },
      'GET /rest/v1/collection/:id': { answer: ({ params }) => item({ _id: Number(params['id']) }) },
      'PUT /rest/v1/collection/:id': {
        body: fields({ title: text, ...collection }),
        answer: ({ params }) => item({ _id: Number(params['id']) }),
      },
      'DELETE /rest/v1/collection/:id': done,
      'GET /rest/v1/tags': { answer: () => items([{ _id: 'news', count: 2 }]) },
      'GET /rest/v1/tags/:id': { answer: () => items([{ _id: 'later', count: 1 }]) },
      'DELETE /rest/v1/tags': { body: fields({ 'tags!': { type: 'array', items: text, minItems: 1 } }), ...done },
      'DELETE /rest/v1/tags/:id': { body: fields({ 'tags!': { type: 'array', items: text, minItems: 1 } }), ...done },
      'GET /rest/v1/user': { answer: () => ({ json: { result: true, user: { _id: 32, fullName: 'Ada' } } }) },
    },
  });
}
