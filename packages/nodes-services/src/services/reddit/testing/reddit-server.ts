import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const page = { limit: { type: 'string', pattern: '^\\d+$' }, after: text };
const form = /^application\/x-www-form-urlencoded/;
const json = { 'api_type!': { const: 'json' } };
const listing = (...children: object[]) => ({ kind: 'Listing', data: { after: null, children } });
const post = { kind: 't3', data: { id: 'p1', title: 'Hello' } };
const comment = { kind: 't1', data: { id: 'c1', body: 'Nice' } };
const answer = (body: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json: body }) });
const posts: ApiRoute = { query: fields(page), ...answer(listing(post)) };

/** https://www.reddit.com/dev/api */
export function redditServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://oauth.reddit.com',
    headers: { authorization: /^Bearer t$/, 'user-agent': /sluice/ },
    routes: {
      'POST /api/submit': {
        type: form,
        body: fields({
          ...json,
          'sr!': text,
          'kind!': { enum: ['self', 'link', 'image'] },
          'title!': text,
          text: { type: 'string' },
          url: text,
          resubmit: { enum: ['true', 'false'] },
        }),
        ...answer({ json: { errors: [], data: { id: 'p2', url: 'https://www.reddit.com/r/sluice/comments/p2/' } } }),
      },
      'POST /api/comment': {
        type: form,
        body: fields({ ...json, 'thing_id!': { type: 'string', pattern: '^t[13]_' }, 'text!': text }),
        ...answer({ json: { errors: [], data: { things: [comment] } } }),
      },
      'POST /api/del': { type: form, body: fields({ 'id!': { type: 'string', pattern: '^t[13]_' } }), ...answer({}) },
      'GET /r/:sub/comments/:id': answer([listing(post), listing(comment, { kind: 'more', data: { count: 3 } })]),
      'GET /r/:sub/search': {
        query: fields({ ...page, 'q!': text, restrict_sr: { const: 'on' }, sort: text }),
        ...answer(listing(post)),
      },
      'GET /search': { query: fields({ ...page, 'q!': text, sort: text }), ...answer(listing(post)) },
      'GET /r/:sub/about/rules': answer({ rules: [{ short_name: 'Be kind' }] }),
      'GET /r/:sub/about': answer({ kind: 't5', data: { display_name: 'sluice' } }),
      'GET /r/:sub/:list': posts,
      'GET /subreddits/search': {
        query: fields({ ...page, 'q!': text }),
        ...answer(listing({ kind: 't5', data: { id: 's1' } })),
      },
      'GET /subreddits/:list': { query: fields(page), ...answer(listing({ kind: 't5', data: { id: 's2' } })) },
      'GET /user/:name/about': answer({ kind: 't2', data: { name: 'ann' } }),
      'GET /user/:name/:list': { query: fields(page), ...answer(listing(comment)) },
      'GET /api/v1/me': answer({ name: 'me', features: { a: true } }),
      'GET /api/v1/me/karma': answer({ kind: 'KarmaList', data: [{ sr: 'sluice', link_karma: 2 }] }),
      'GET /api/v1/me/trophies': answer({ kind: 'TrophyList', data: { trophies: [{ kind: 't6', data: { name: 'T' } }] } }),
      'GET /api/v1/me/friends': answer({ kind: 'UserList', data: { children: [{ name: 'bob' }] } }),
      'GET /api/v1/me/prefs': answer({ lang: 'en' }),
      'GET /prefs/blocked': answer({ kind: 'UserList', data: { children: [{ name: 'eve' }] } }),
    },
  });
}
