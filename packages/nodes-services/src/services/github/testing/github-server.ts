import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text };
const flag = { type: 'boolean' };
const base64 = { type: 'string', pattern: '^[A-Za-z0-9+/]*=*$' };
const person = fields({ 'name!': text, 'email!': text });
const commit = { 'message!': text, branch: text, author: person, committer: person };
const page = { per_page: { type: 'string', pattern: '^([1-9]\\d?|100)$' }, page: text };
const filters = {
  assignee: text,
  creator: text,
  mentioned: text,
  labels: text,
  since: text,
  state: text,
  sort: text,
  direction: text,
};
const issueFields = { title: text, body: text, labels: texts, assignees: texts };
const releaseFields = { name: text, body: text, draft: flag, prerelease: flag, target_commitish: text };
const event = { enum: ['APPROVE', 'REQUEST_CHANGES', 'COMMENT'] };
const hook = fields({
  'name!': { const: 'web' },
  'active!': { const: true },
  'events!': texts,
  'config!': fields({
    'url!': text,
    'content_type!': { const: 'json' },
    'insecure_ssl!': { enum: ['0', '1'] },
    'secret!': text,
  }),
});

export const readme = {
  name: 'README.md',
  path: 'README.md',
  type: 'file',
  sha: 'sha1',
  content: 'SGkh\n',
  encoding: 'base64',
};

/** https://docs.github.com/rest (2022-11-28), for the token `ghp1`. */
export function githubServer(): Promise<ApiServer> {
  const repo = (path = '') => `/repos/:owner/:repo${path}`;
  const list = (query = {}): ApiRoute => ({
    query: fields({ ...page, ...query }),
    answer: () => ({ json: [{ id: 1 }, { id: 2 }] }),
  });
  const one: ApiRoute = { answer: () => ({ json: { id: 1 } }) };
  const nothing: ApiRoute = { answer: () => ({ status: 204 }) };
  const issue: ApiRoute['answer'] = ({ body }) => ({ json: { number: 5, title: (body as { title?: string }).title ?? 'Old' } });
  const contents: ApiRoute = {
    query: fields({ ref: text }),
    headers: { accept: /^application\/vnd\.github\.(raw\+)?json|^application\/vnd\.github\+json$/ },
    answer: ({ headers }) =>
      String(headers['accept']).includes('raw')
        ? { text: 'Hi!', headers: { 'content-type': 'application/vnd.github.raw+json' } }
        : { json: readme },
  };
  return apiServer({
    baseUrl: 'https://api.github.com',
    headers: { authorization: /^token ghp1$/, 'x-github-api-version': /^2022-11-28$/, 'user-agent': /./ },
    routes: {
      [`GET ${repo('/contents/')}`]: { ...list({ ref: text }), query: fields({ ref: text }) },
      [`GET ${repo('/contents/:path')}`]: contents,
      [`GET ${repo('/contents/:folder/:path')}`]: contents,
      [`PUT ${repo('/contents/:path')}`]: {
        body: fields({ ...commit, 'content!': base64, sha: text }),
        answer: () => ({ json: { content: { path: 'README.md' }, commit: { sha: 'c2' } } }),
      },
      [`DELETE ${repo('/contents/:path')}`]: {
        body: fields({ ...commit, 'sha!': text }),
        answer: () => ({ json: { content: null } }),
      },
      [`POST ${repo('/issues')}`]: { body: fields({ ...issueFields, 'title!': text }), answer: issue },
      [`GET ${repo('/issues')}`]: list(filters),
      [`GET ${repo('/issues/:number')}`]: one,
      [`PATCH ${repo('/issues/:number')}`]: {
        body: fields({ ...issueFields, state: { enum: ['open', 'closed'] }, state_reason: text }),
        answer: issue,
      },
      [`POST ${repo('/issues/:number/comments')}`]: { body: fields({ 'body!': text }), answer: one.answer },
      [`PUT ${repo('/issues/:number/lock')}`]: { body: fields({ lock_reason: text }), answer: nothing.answer },
      'GET /orgs/:org/repos': list(),
      'POST /orgs/:org/invitations': { body: fields({ 'email!': text }), answer: one.answer },
      'GET /users/:user/repos': { ...list(), answer: () => ({ json: [{ name: 'app' }, { name: 'site' }] }) },
      'GET /issues': list(filters),
      [`POST ${repo('/releases')}`]: { body: fields({ ...releaseFields, 'tag_name!': text }), answer: one.answer },
      [`GET ${repo('/releases')}`]: list(),
      [`GET ${repo('/releases/:id')}`]: one,
      [`PATCH ${repo('/releases/:id')}`]: { body: fields({ ...releaseFields, tag_name: text }), answer: one.answer },
      [`DELETE ${repo('/releases/:id')}`]: nothing,
      [`GET ${repo()}`]: one,
      [`GET ${repo('/license')}`]: one,
      [`GET ${repo('/community/profile')}`]: one,
      [`GET ${repo('/pulls')}`]: list(filters),
      [`GET ${repo('/traffic/popular/paths')}`]: { answer: () => ({ json: [{ path: '/' }] }) },
      [`GET ${repo('/traffic/popular/referrers')}`]: { answer: () => ({ json: [{ referrer: 'a' }] }) },
      [`POST ${repo('/pulls/:number/reviews')}`]: { body: fields({ event, body: text, commit_id: text }), answer: one.answer },
      [`GET ${repo('/pulls/:number/reviews')}`]: list(),
      [`GET ${repo('/pulls/:number/reviews/:id')}`]: one,
      [`PUT ${repo('/pulls/:number/reviews/:id')}`]: { body: fields({ 'body!': text }), answer: one.answer },
      [`GET ${repo('/actions/workflows')}`]: {
        query: fields(page),
        answer: () => ({ json: { total_count: 1, workflows: [{ id: 1 }, { id: 2 }] } }),
      },
      [`GET ${repo('/actions/workflows/:id')}`]: one,
      [`GET ${repo('/actions/workflows/:id/timing')}`]: one,
      [`PUT ${repo('/actions/workflows/:id/enable')}`]: nothing,
      [`PUT ${repo('/actions/workflows/:id/disable')}`]: nothing,
      [`POST ${repo('/actions/workflows/:id/dispatches')}`]: {
        body: fields({ 'ref!': text, inputs: { type: 'object' } }),
        answer: nothing.answer,
      },
      [`GET ${repo('/hooks')}`]: { query: fields(page), answer: () => ({ json: [] }) },
      [`POST ${repo('/hooks')}`]: { body: hook, answer: () => ({ status: 201, json: { id: 77 } }) },
      [`DELETE ${repo('/hooks/:id')}`]: nothing,
    },
  });
}
