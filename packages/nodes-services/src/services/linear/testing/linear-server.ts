import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const priority = { type: 'integer', minimum: 0, maximum: 4 };
const written = { assigneeId: text, description: text, priority, stateId: text };

/**
 * Variables of the operations:
 * https://studio.apollographql.com/public/Linear-API/variant/current/schema/reference
 */
const variables: Readonly<Record<string, Parameters<typeof fields>[0]>> = {
  issue: { 'id!': text },
  issues: { 'first!': { type: 'integer', minimum: 1, maximum: 250 }, after: text },
  teams: { 'first!': { type: 'integer' }, after: text },
  users: { 'first!': { type: 'integer' }, after: text },
  workflowStates: { 'first!': { type: 'integer' }, after: text },
  issueCreate: { 'input!': fields({ 'teamId!': text, 'title!': text, ...written }) },
  issueUpdate: { 'id!': text, 'input!': fields({ ...written, teamId: text, title: text }) },
  issueDelete: { 'id!': text },
  attachmentLinkURL: { 'issueId!': text, 'url!': text },
  commentCreate: { 'input!': fields({ 'issueId!': text, 'body!': text, parentId: text }) },
};

interface Asked {
  query: string;
  variables: { id?: string; first?: number; after?: string; url?: string; input?: Record<string, unknown> };
}

/** One operation with its variables. */
const operations = Object.entries(variables).map(([name, types]) => ({
  properties: {
    query: { type: 'string', pattern: `^(query|mutation) \\([^)]*\\) \\{ ${name} \\(` },
    variables: fields(types),
  },
  required: ['query', 'variables'],
  additionalProperties: false,
}));

/** The name of a query's first field. */
export const nameOf = (query: string): string => /\{ (\w+) \(/.exec(query)?.[1] ?? '';

const pages = (member: string, nodes: object[], more: object[]) => (after: string | undefined) => ({
  [member]: {
    nodes: after === 'c1' ? more : nodes,
    pageInfo: { hasNextPage: after !== 'c1' && more.length > 0, endCursor: 'c1' },
  },
});

const lists = {
  issues: pages('issues', [{ id: 'i1' }], [{ id: 'i2' }]),
  teams: pages('teams', [{ id: 't1', name: 'Engineering' }], [{ id: 't2', name: 'Sales' }]),
  users: pages('users', [{ id: 'u1', displayName: 'Ada' }], []),
  workflowStates: pages(
    'workflowStates',
    [{ id: 's1', name: 'Todo', team: { id: 't1', name: 'Engineering' } }],
    [{ id: 's2', name: 'Todo', team: { id: 't2', name: 'Sales' } }],
  ),
};

function dataFor({ query, variables: values }: Asked): object {
  const name = nameOf(query);
  if (name in lists) return lists[name as keyof typeof lists](values.after);
  const issue = { id: values.id ?? 'i1', identifier: 'ENG-1', ...values.input };
  switch (name) {
    case 'issueCreate': {
      const { teamId: _, ...issueFields } = values.input ?? {};
      return { issueCreate: { success: true, issue: { id: 'i1', identifier: 'ENG-1', ...issueFields } } };
    }
    case 'issueUpdate':
      return { issueUpdate: { success: true, issue } };
    case 'issueDelete':
      return { issueDelete: { success: true } };
    case 'attachmentLinkURL':
      return { attachmentLinkURL: { success: true, attachment: { id: 'a1', url: values.url } } };
    case 'commentCreate':
      return { commentCreate: { success: true, comment: { id: 'c1', body: values.input?.['body'] } } };
    default:
      return { issue };
  }
}

/** https://linear.app/developers/graphql, for the key `lin_1` and the token `tok`. */
export function linearServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.linear.app',
    headers: { authorization: /^(lin_1|Bearer tok)$/ },
    routes: {
      'POST /graphql': {
        body: { oneOf: operations },
        answer: ({ body }) => ({ json: { data: dataFor(body as unknown as Asked) } }),
      },
    },
  });
}
