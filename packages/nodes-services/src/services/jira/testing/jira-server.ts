import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

export const site = { email: 'ann@acme.test', apiToken: 'token1', domain: 'https://acme.atlassian.net/' };

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const idOr = (other: string) => ({ oneOf: [fields({ 'id!': digits }), fields({ [`${other}!`]: text })] });
const user = { oneOf: [fields({ 'id!': text }), fields({ 'name!': text })] };
const issueFields = {
  summary: text,
  description: text,
  assignee: user,
  reporter: user,
  priority: idOr('name'),
  issuetype: idOr('name'),
  project: idOr('key'),
  parent: fields({ 'key!': text }),
  labels: { type: 'array', items: text },
  components: { type: 'array', items: fields({ 'id!': text }) },
};
const ofIssue = (required: string[] = []) =>
  fields({
    'fields!': {
      type: 'object',
      properties: issueFields,
      patternProperties: { '^customfield_\\d+$': {} },
      additionalProperties: false,
      required,
    },
  });
const document = { type: 'object', required: ['type', 'version', 'content'] };
const paged = { maxResults: digits, startAt: digits };
const created = { id: '1', key: 'APP-5', self: 'https://acme.atlassian.net/rest/api/2/issue/1' };
const attachment = {
  id: '9',
  filename: 'a.txt',
  mimeType: 'text/plain',
  content: 'https://acme.atlassian.net/rest/api/2/attachment/content/9',
};
const search = {
  'jql!': text,
  'fields!': { type: 'array', items: text },
  'maxResults!': { type: 'integer', minimum: 1, maximum: 100 },
  expand: {},
  fieldsByKeys: { type: 'boolean' },
};
const nothing: ApiRoute['answer'] = () => ({ status: 204 });

/**
 * https://developer.atlassian.com/cloud/jira/platform/rest/v2/ and v3, for the account `ann`;
 * `search` exists on servers only.
 */
export function jiraServer(): Promise<ApiServer> {
  const at = (path: string, version = 2) => `/rest/api/${version}${path}`;
  const one = (json: object, query = {}): ApiRoute => ({ query: fields(query), answer: () => ({ json }) });
  const comments = (version: number, body: object): Record<string, ApiRoute> => ({
    [`POST ${at('/issue/:key/comment', version)}`]: {
      query: fields({ expand: text }),
      body: fields({ 'body!': body }),
      answer: () => ({ status: 201, json: { id: '3' } }),
    },
    [`GET ${at('/issue/:key/comment', version)}`]: one({ comments: [{ id: '3' }], total: 1 }, { ...paged, expand: text }),
    [`GET ${at('/issue/:key/comment/:id', version)}`]: one({ id: '3' }, { expand: text }),
    [`PUT ${at('/issue/:key/comment/:id', version)}`]: {
      query: fields({ expand: text }),
      body: fields({ 'body!': body }),
      answer: () => ({ json: { id: '3' } }),
    },
  });
  return apiServer({
    baseUrl: 'https://acme.atlassian.net',
    headers: { authorization: /^(Basic |Bearer pat1$)/, accept: /^application\/json$/ },
    routes: {
      [`POST ${at('/issue')}`]: {
        query: fields({ updateHistory: text }),
        body: ofIssue(['project', 'issuetype', 'summary']),
        answer: () => ({ status: 201, json: created }),
      },
      [`GET ${at('/issue/:key')}`]: {
        query: fields({ expand: text, fields: text, fieldsByKey: text, properties: text, updateHistory: text }),
        answer: () => ({
          json: {
            ...created,
            fields: { summary: 'Broken', customfield_1: 5, attachment: [attachment] },
            names: { summary: 'Summary', customfield_1: 'Points' },
            changelog: { histories: [{ id: '7' }] },
          },
        }),
      },
      [`PUT ${at('/issue/:key')}`]: { body: ofIssue(), answer: nothing },
      [`DELETE ${at('/issue/:key')}`]: { query: fields({ 'deleteSubtasks!': { enum: ['true', 'false'] } }), answer: nothing },
      [`GET ${at('/issue/:key/changelog')}`]: one({ values: [{ id: '7' }], total: 1, isLast: true }, paged),
      [`POST ${at('/issue/:key/notify')}`]: {
        body: fields({ subject: text, textBody: text, htmlBody: text, 'to!': { type: 'object' } }),
        answer: nothing,
      },
      [`GET ${at('/issue/:key/transitions')}`]: one(
        { transitions: [{ id: '31', name: 'Done' }] },
        { expand: text, transitionId: text, skipRemoteOnlyCondition: text },
      ),
      [`POST ${at('/issue/:key/transitions')}`]: {
        body: fields({ 'transition!': fields({ 'id!': digits }) }),
        answer: nothing,
      },
      [`POST ${at('/issue/:key/attachments')}`]: {
        headers: { 'x-atlassian-token': /^no-check$/ },
        body: { type: 'object', required: ['file'] },
        answer: () => ({ json: [attachment] }),
      },
      [`GET ${at('/attachment/:id')}`]: one(attachment),
      [`DELETE ${at('/attachment/:id')}`]: { answer: nothing },
      [`GET ${at('/attachment/content/:id')}`]: { answer: () => ({ text: 'Hi', headers: { 'content-type': 'text/plain' } }) },
      [`POST ${at('/search/jql')}`]: {
        body: fields({ ...search, nextPageToken: text, expand: text }),
        answer: () => ({ json: { issues: [created], isLast: true } }),
      },
      [`POST ${at('/search')}`]: {
        body: fields({ ...search, startAt: { type: 'integer' }, expand: { type: 'array' } }),
        answer: () => ({ json: { issues: [created], total: 1, startAt: 0 } }),
      },
      ...comments(2, text),
      ...comments(3, document),
      [`DELETE ${at('/issue/:key/comment/:id')}`]: { answer: nothing },
      [`POST ${at('/user')}`]: {
        body: fields({
          'name!': text,
          'emailAddress!': text,
          'displayName!': text,
          products: { type: 'array' },
          password: text,
        }),
        answer: () => ({ status: 201, json: { accountId: 'u1' } }),
      },
      [`GET ${at('/user')}`]: one({ accountId: 'u1' }, { accountId: text, key: text, expand: text }),
      [`DELETE ${at('/user')}`]: { query: fields({ accountId: text, key: text }), answer: nothing },
      [`GET ${at('/user/search')}`]: {
        query: fields({ query: text, username: text, maxResults: digits }),
        answer: () => ({ json: [{ accountId: 'u1', displayName: 'Ann' }] }),
      },
      [`GET ${at('/project/search')}`]: one({ values: [{ id: '10000', name: 'App' }], total: 1 }, paged),
      [`GET ${at('/project/:id')}`]: one({ issueTypes: [{ id: '10002', name: 'Task' }] }),
      [`GET ${at('/priority')}`]: { answer: () => ({ json: [{ id: '2', name: 'High' }] }) },
      [`GET ${at('/field')}`]: {
        answer: () => ({
          json: [
            { id: 'summary', name: 'Summary', custom: false },
            { id: 'customfield_1', name: 'Points', custom: true },
          ],
        }),
      },
    },
  });
}
