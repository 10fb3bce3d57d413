import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const page = { per_page: { type: 'string', pattern: '^([1-9]\\d?|100)$' }, page: text };
const commit = { 'branch!': text, 'commit_message!': text, author_name: text, author_email: text, start_branch: text };
const content = { ...commit, 'content!': { type: 'string' }, 'encoding!': { enum: ['text', 'base64'] } };
const issueFields = {
  title: text,
  description: text,
  due_date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  labels: text,
  assignee_ids: { type: 'array', items: { type: 'integer' } },
};
const flag = { type: 'boolean' };
const hook = fields({
  'url!': text,
  'token!': text,
  'enable_ssl_verification!': flag,
  'note_events!': flag,
  'confidential_issues_events!': flag,
  'confidential_note_events!': flag,
  'deployment_events!': flag,
  'issues_events!': flag,
  'job_events!': flag,
  'merge_requests_events!': flag,
  'pipeline_events!': flag,
  'push_events!': flag,
  'releases_events!': flag,
  'tag_push_events!': flag,
  'wiki_page_events!': flag,
});
const project = '/api/v4/projects/:project';
const link = '<https://gitlab.com/api/v4/projects/acme%2Fbackups/issues?page=2>; rel="next"';
const stored = { file_name: 'today.json', file_path: 'reports/today.json', size: 2, ref: 'main' };

/** https://docs.gitlab.com/api/rest/, for the token `t1`. */
export function gitlabServer(): Promise<ApiServer> {
  const written = ({ params, body }: { params: Record<string, string>; body: unknown }) => ({
    json: { file_path: params['path'], branch: (body as { branch: string }).branch },
  });
  return apiServer({
    baseUrl: 'https://gitlab.com',
    headers: { 'private-token': /^t1$/ },
    routes: {
      [`GET ${project}`]: { answer: ({ params }) => ({ json: { id: 5, path_with_namespace: params['project'] } }) },
      [`POST ${project}/repository/files/:path`]: { body: fields(content), answer: written },
      [`PUT ${project}/repository/files/:path`]: { body: fields(content), answer: written },
      [`DELETE ${project}/repository/files/:path`]: { body: fields(commit), answer: () => ({ status: 204 }) },
      [`GET ${project}/repository/files/:path`]: {
        query: fields({ 'ref!': text }),
        answer: () => ({ json: { ...stored, encoding: 'base64', content: 'e30=' } }),
      },
      [`GET ${project}/repository/files/:path/raw`]: {
        query: fields({ 'ref!': text }),
        answer: () => ({ text: '{}', headers: { 'content-type': 'text/plain' } }),
      },
      [`GET ${project}/repository/tree`]: {
        query: fields({ ...page, path: text, ref: text }),
        answer: () => ({ json: [{ name: 'today.json', type: 'blob' }] }),
      },
      [`POST ${project}/issues`]: {
        body: { ...fields(issueFields), required: ['title'] },
        answer: ({ body }) => ({ status: 201, json: { iid: 9, ...(body as object) } }),
      },
      [`GET ${project}/issues`]: {
        query: fields({ ...page, state: text, author_username: text, labels: text, sort: text }),
        answer: ({ query }) => (query['page'] === '2' ? { json: [{ iid: 2 }] } : { json: [{ iid: 1 }], headers: { link } }),
      },
      [`GET ${project}/issues/:issue`]: { answer: ({ params }) => ({ json: { iid: Number(params['issue']) } }) },
      [`PUT ${project}/issues/:issue`]: {
        body: fields({ ...issueFields, state_event: { enum: ['close', 'reopen'] }, discussion_locked: { const: true } }),
        answer: ({ body }) => ({ json: body }),
      },
      [`POST ${project}/issues/:issue/notes`]: {
        body: fields({ 'body!': text }),
        answer: () => ({ status: 201, json: { id: 7 } }),
      },
      [`GET ${project}/hooks`]: { query: fields(page), answer: () => ({ json: [] }) },
      [`POST ${project}/hooks`]: { body: hook, answer: () => ({ status: 201, json: { id: 77 } }) },
      [`DELETE ${project}/hooks/:id`]: { answer: () => ({ status: 204 }) },
      'GET /api/v4/users/:user/projects': { query: fields(page), answer: () => ({ json: [{ id: 5 }] }) },
    },
  });
}
