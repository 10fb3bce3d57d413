import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { ask, askAll, listQuery } from './linear-client.ts';

const issueFields = [
  'id identifier title description url priority priorityLabel estimate dueDate createdAt updatedAt',
  'state { id name type } assignee { id displayName } creator { id displayName } team { id key name } cycle { id name }',
].join(' ');

const queries = {
  get: `query ($id: String!) { issue (id: $id) { ${issueFields} } }`,
  getAll: listQuery('issues', issueFields),
  create: `mutation ($input: IssueCreateInput!) { issueCreate (input: $input) { success issue { ${issueFields} } } }`,
  update: `mutation ($id: String!, $input: IssueUpdateInput!) { issueUpdate (id: $id, input: $input) { success issue { ${issueFields} } } }`,
  delete: 'mutation ($id: String!) { issueDelete (id: $id) { success } }',
  link: 'mutation ($issueId: String!, $url: String!) { attachmentLinkURL (issueId: $issueId, url: $url) { success attachment { id url title } } }',
  comment:
    'mutation ($input: CommentCreateInput!) { commentCreate (input: $input) { success comment { id body url createdAt user { id displayName } } } }',
};

const issueId = text('issueId', 'Issue ID', 'ID of the issue, or its identifier, such as `ENG-123`', { required: true });
const loaded = (name: string, displayName: string, method: string, description: string): NodeProperty =>
  text(name, displayName, description, { typeOptions: { loadOptionsMethod: method } });

const assignee = loaded('assigneeId', 'Assignee Name or ID', 'getUsers', 'The user who works on the issue');
const team = loaded('teamId', 'Team Name or ID', 'getTeams', 'The team');
const written: readonly NodeProperty[] = [
  assignee,
  text('description', 'Description', 'Text of the issue, as Markdown'),
  {
    displayName: 'Priority Name or ID',
    name: 'priorityId',
    type: 'options',
    default: 0,
    options: [
      { name: 'No Priority', value: 0 },
      { name: 'Urgent', value: 1 },
      { name: 'High', value: 2 },
      { name: 'Normal', value: 3 },
      { name: 'Low', value: 4 },
    ],
  },
  loaded('stateId', 'State Name or ID', 'getStates', 'The state'),
];

/** https://linear.app/developers/graphql#queries-and-mutations */
export const issue: Resource = {
  displayName: 'Issue',
  initial: 'create',
  operations: {
    addLink: {
      displayName: 'Add Link',
      description: 'Adds a link to an issue',
      properties: [issueId, text('link', 'Link', 'Address of the page', { required: true })],
      run: async (item) => {
        const variables = { issueId: item.id('issueId'), url: item.required('link') };
        return succeeded(item, await ask(item.access, queries.link, 'attachmentLinkURL', variables), 'attachment');
      },
    },
    create: {
      displayName: 'Create',
      description: 'Creates an issue',
      properties: [
        { ...team, required: true },
        text('title', 'Title', 'Title of the issue', { required: true }),
        collection('additionalFields', 'Additional Fields', written),
      ],
      run: async (item) => {
        const input = { teamId: item.id('teamId'), title: item.required('title'), ...membersOf(item, 'additionalFields') };
        return succeeded(item, await ask(item.access, queries.create, 'issueCreate', { input }), 'issue');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves an issue to the trash',
      properties: [issueId],
      run: async (item) => {
        const result = await ask(item.access, queries.delete, 'issueDelete', { id: item.id('issueId') });
        succeeded(item, result, 'issue');
        return result;
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets an issue',
      properties: [issueId],
      run: (item) => ask(item.access, queries.get, 'issue', { id: item.id('issueId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists issues',
      properties: listPropertiesOf(),
      run: (item) => askAll(item.access, queries.getAll, 'issues', item.limit()),
    },
    update: {
      displayName: 'Update',
      description: 'Changes an issue',
      properties: [
        issueId,
        collection('updateFields', 'Update Fields', [...written, team, text('title', 'Title', 'Title of the issue')]),
      ],
      run: async (item) => {
        const variables = { id: item.id('issueId'), input: membersOf(item, 'updateFields') };
        return succeeded(item, await ask(item.access, queries.update, 'issueUpdate', variables), 'issue');
      },
    },
  },
};

export const comment: Resource = {
  displayName: 'Comment',
  operations: {
    addComment: {
      displayName: 'Add Comment',
      description: 'Adds a comment to an issue',
      properties: [
        issueId,
        text('comment', 'Comment', 'Text of the comment, as Markdown', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          text('parentId', 'Parent ID', 'ID of the comment that this one answers'),
        ]),
      ],
      run: async (item) => {
        const parentId = item.optional('additionalFields.parentId');
        const input = { issueId: item.id('issueId'), body: item.required('comment'), ...(parentId && { parentId }) };
        return succeeded(item, await ask(item.access, queries.comment, 'commentCreate', { input }), 'comment');
      },
    },
  },
};

/** A collection's members under their API names. */
function membersOf(item: ServiceItem, path: string): JsonObject {
  const { priorityId, ...members } = item.fields(path);
  return { ...members, ...(priorityId !== undefined && { priority: numberOf(item, priorityId) }) };
}

function numberOf(item: ServiceItem, value: JsonValue): number {
  const priority = Number(value);
  if (Number.isInteger(priority) && priority >= 0 && priority <= 4) return priority;
  throw item.error('the priority is not a number from 0 to 4', 'Set it to 0 (none), 1 (urgent), 2, 3, or 4 (low)');
}

/** The object that a mutation changed. */
function succeeded(item: ServiceItem, { success, ...result }: JsonObject, member: string): JsonObject {
  if (success === true) return objectOf(result[member]);
  throw item.error('Linear did not make the change', 'Check the IDs, and the permissions of the account');
}
