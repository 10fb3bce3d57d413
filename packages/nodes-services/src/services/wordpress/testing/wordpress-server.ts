import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

export const site = { username: 'ann', password: 'an application password', url: 'https://blog.example/' };

const text = { type: 'string', minLength: 1 };
const id = { type: 'integer' };
const ids = { type: 'array', items: id };
const status = { enum: ['publish', 'future', 'draft', 'pending', 'private'] };
const open = { enum: ['open', 'closed'] };
/** In a query, every value is text. */
const digits = { type: 'string', pattern: '^[0-9]+$' };
/** PHP keeps only the last of repeated parameters, so lists are comma-separated. */
const listed = { type: 'string', pattern: '^[0-9]+(,[0-9]+)*$' };
const contexts = { enum: ['view', 'embed', 'edit'] };

const shared = {
  title: text,
  author: id,
  content: text,
  slug: text,
  password: text,
  status,
  comment_status: open,
  ping_status: open,
  template: text,
  featured_media: id,
  date: text,
};
const postMembers = { ...shared, format: text, sticky: { type: 'boolean' }, categories: ids, tags: ids };
const pageMembers = { ...shared, parent: id, menu_order: id };
const userMembers = {
  name: text,
  first_name: text,
  last_name: text,
  email: { type: 'string', pattern: '@' },
  password: text,
  url: text,
  description: text,
  nickname: text,
  slug: text,
};
const list = {
  'per_page!': digits,
  page: digits,
  context: contexts,
  orderby: text,
  order: { enum: ['asc', 'desc'] },
  search: text,
};
const contentList = { ...list, after: text, before: text, author: listed, status };

const elements = [
  { id: 1, name: 'One' },
  { id: 2, name: 'Two' },
];
const ofOnePage = () => ({ json: elements, headers: { 'x-wp-totalpages': '1' } });
const created = { status: 201, json: { id: 7, status: 'draft' } };
const one = (query: object = {}): ApiRoute => ({
  query: fields({ context: contexts, ...query }),
  answer: ({ params }) => ({ json: { id: Number(params['id']) } }),
});

/** Posts, pages, and users of https://developer.wordpress.org/rest-api/reference/ */
export function wordpressServer(): Promise<ApiServer> {
  const at = (path: string) => `/wp-json/wp/v2${path}`;
  const changed: ApiRoute['answer'] = ({ params }) => ({ json: { id: Number(params['id']) } });
  return apiServer({
    baseUrl: 'https://blog.example',
    headers: { authorization: new RegExp(`^Basic ${Buffer.from('ann:an application password').toString('base64')}$`) },
    routes: {
      [`POST ${at('/posts')}`]: { body: fields({ ...postMembers, 'title!': text }), answer: () => created },
      [`GET ${at('/posts')}`]: {
        query: fields({
          ...contentList,
          categories: listed,
          categories_exclude: listed,
          tags: listed,
          tags_exclude: listed,
          sticky: text,
        }),
        answer: ofOnePage,
      },
      [`GET ${at('/posts/:id')}`]: one({ password: text }),
      [`POST ${at('/posts/:id')}`]: { body: fields(postMembers), answer: changed },
      [`POST ${at('/pages')}`]: { body: fields({ ...pageMembers, 'title!': text }), answer: () => created },
      [`GET ${at('/pages')}`]: { query: fields({ ...contentList, parent: listed, menu_order: digits }), answer: ofOnePage },
      [`GET ${at('/pages/:id')}`]: one({ password: text }),
      [`POST ${at('/pages/:id')}`]: { body: fields(pageMembers), answer: changed },
      [`POST ${at('/users')}`]: {
        body: fields({ ...userMembers, 'username!': text, 'email!': text, 'password!': text }),
        answer: () => created,
      },
      [`GET ${at('/users')}`]: { query: fields(list), answer: ofOnePage },
      [`GET ${at('/users/:id')}`]: one(),
      [`POST ${at('/users/:id')}`]: { body: fields(userMembers), answer: changed },
      [`GET ${at('/categories')}`]: { query: fields({ 'per_page!': digits, page: digits }), answer: ofOnePage },
      [`GET ${at('/tags')}`]: { query: fields({ 'per_page!': digits, page: digits }), answer: ofOnePage },
    },
  });
}
