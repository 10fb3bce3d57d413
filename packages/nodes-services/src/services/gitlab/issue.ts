import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, number, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { inProject, listed, owner, projectPath } from './gitlab-client.ts';

const issueNumber = number('issueNumber', 'Issue Number', 0, 'Number of the issue in its project', { required: true });
const body: NodeProperty = text('body', 'Body', 'Text in Markdown', { typeOptions: { rows: 5 } });
const dueDate: NodeProperty = {
  displayName: 'Due Date',
  name: 'due_date',
  type: 'dateTime',
  default: '',
  description: 'Day by which the issue is due',
};
const several = { typeOptions: { multipleValues: true } };
const labels = collection('labels', 'Labels', [text('label', 'Label', 'Name of the label')], several);
const assignees = collection('assignee_ids', 'Assignees', [number('assignee', 'Assignee', 0, 'ID of the user')], several);

function pathOf(item: ServiceItem, more = ''): string {
  const issue = item.number('issueNumber', 0);
  if (Number.isInteger(issue) && issue > 0) return projectPath(item, `/issues/${issue}${more}`);
  throw item.error('the parameter "issueNumber" is required', 'Set it to the number of an issue, such as 5');
}

export const issue: Resource = {
  displayName: 'Issue',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an issue',
      properties: [
        ...inProject,
        text('title', 'Title', 'Title of the issue', { required: true }),
        body,
        dueDate,
        labels,
        assignees,
      ],
      run: async (item) =>
        item.send({
          path: projectPath(item, '/issues'),
          json: {
            title: item.required('title'),
            description: item.optional('body'),
            due_date: await dayOf(item, 'due_date'),
            ...membersOf(item, ''),
          },
        }),
    },
    createComment: {
      displayName: 'Create Comment',
      description: 'Adds a comment to an issue',
      properties: [...inProject, issueNumber, { ...body, required: true }],
      run: (item) => item.send({ path: pathOf(item, '/notes'), json: { body: item.required('body') } }),
    },
    edit: {
      displayName: 'Edit',
      description: 'Changes an issue',
      properties: [
        ...inProject,
        issueNumber,
        collection('editFields', 'Edit Fields', [
          text('title', 'Title', 'Title of the issue'),
          text('description', 'Description', 'Text in Markdown'),
          choice('state', 'State', choices(['closed', 'Closed'], ['open', 'Open'])),
          dueDate,
          labels,
          assignees,
        ]),
      ],
      run: async (item) => item.send({ method: 'PUT', path: pathOf(item), json: await changesOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an issue',
      properties: [...inProject, issueNumber],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    lock: {
      displayName: 'Lock',
      description: 'Locks the discussion of an issue',
      properties: [...inProject, issueNumber],
      run: (item) => item.send({ method: 'PUT', path: pathOf(item), json: { discussion_locked: true } }),
    },
  },
};

async function changesOf(item: ServiceItem): Promise<JsonObject> {
  const { title, description, state } = item.fields('editFields');
  const day = await dayOf(item, 'editFields.due_date');
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(state !== undefined && { state_event: state === 'closed' ? 'close' : 'reopen' }),
    ...(day !== undefined && { due_date: day }),
    ...membersOf(item, 'editFields.'),
  };
}

/** The day in the workflow's time zone, as `2026-01-31`. */
async function dayOf(item: ServiceItem, path: string): Promise<string | undefined> {
  const time = await item.time(path);
  return time?.toLocaleDateString('sv-SE', { timeZone: item.context.workflow.timezone });
}

function membersOf(item: ServiceItem, path: '' | 'editFields.'): JsonObject {
  const names = item.entries(`${path}labels`).flatMap(({ label = '' }) => (label === '' ? [] : [asText(label)]));
  const users = item.entries(`${path}assignee_ids`).flatMap(({ assignee = 0 }) => (assignee ? [userId(item, assignee)] : []));
  return { ...(names.length > 0 && { labels: names.join() }), ...(users.length > 0 && { assignee_ids: users }) };
}

function userId(item: ServiceItem, value: JsonValue): number {
  const id = Number(asText(value));
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw item.error('an assignee is not the ID of a user', 'Set it to a number such as 42');
}

const filters = collection('getRepositoryIssuesFilters', 'Filters', [
  text('assignee_username', 'Assignee', 'Only issues of this user'),
  text('creator', 'Creator', 'Only issues that this user created'),
  text('search', 'Search', 'Words in the title and description'),
  text('labels', 'Labels', 'Only issues with these labels, separated by commas'),
  text('updated_after', 'Updated After', 'Only issues that changed after this time'),
  choice('state', 'State', choices(['', 'All'], ['closed', 'Closed'], ['opened', 'Open'])),
  choice('sort', 'Direction', choices(['asc', 'Ascending'], ['desc', 'Descending']), { default: 'desc' }),
  choice('order_by', 'Order By', choices(['created_at', 'Created At'], ['updated_at', 'Updated At'], ['priority', 'Priority'])),
]);

const getIssues: Operation = {
  displayName: 'Get Issues',
  description: 'Lists the issues of a project',
  properties: [...inProject, ...listPropertiesOf(), filters],
  run(item) {
    const { creator: author_username, ...fields } = item.fields('getRepositoryIssuesFilters');
    return listed(item, projectPath(item, '/issues'), { ...fields, author_username });
  },
};

export const repository: Resource = {
  displayName: 'Repository',
  initial: 'getIssues',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a project',
      properties: inProject,
      run: (item) => item.send({ path: projectPath(item) }),
    },
    getIssues,
  },
};

export const user: Resource = {
  displayName: 'User',
  operations: {
    getRepositories: {
      displayName: 'Get Repositories',
      description: 'Lists the projects of a user',
      properties: [owner, ...listPropertiesOf()],
      run: (item) => listed(item, `/users/${encodeURIComponent(item.required('owner').trim())}/projects`),
    },
  },
};
