import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { assignees, inRepository, issueNumber, labels, repositoryPath } from './github-properties.ts';

const body: NodeProperty = text('body', 'Body', 'Text in Markdown', { typeOptions: { rows: 5 } });
const reasons = choices(['off-topic', 'Off-Topic'], ['resolved', 'Resolved'], ['spam', 'Spam'], ['too heated', 'Too Heated']);

const pathOf = (item: ServiceItem, more = '') => repositoryPath(item, `/issues/${numberOf(item)}${more}`);

function numberOf(item: ServiceItem): number {
  const number = item.number('issueNumber', 0);
  if (Number.isInteger(number) && number > 0) return number;
  throw item.error('the parameter "issueNumber" is required', 'Set it to the number of an issue, such as 5');
}

export const issue: Resource = {
  displayName: 'Issue',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an issue',
      properties: [...inRepository, text('title', 'Title', 'Title of the issue', { required: true }), body, labels, assignees],
      run: (item) =>
        item.send({
          path: repositoryPath(item, '/issues'),
          json: {
            title: item.required('title'),
            body: item.optional('body'),
            labels: namesIn(item, 'labels', 'label'),
            assignees: namesIn(item, 'assignees', 'assignee'),
          },
        }),
    },
    createComment: {
      displayName: 'Create Comment',
      description: 'Adds a comment to an issue',
      properties: [...inRepository, issueNumber, body],
      run: (item) => item.send({ path: pathOf(item, '/comments'), json: { body: item.required('body') } }),
    },
    edit: {
      displayName: 'Edit',
      description: 'Changes an issue',
      properties: [
        ...inRepository,
        issueNumber,
        collection('editFields', 'Edit Fields', [
          assignees,
          body,
          labels,
          choice('state', 'State', choices(['closed', 'Closed'], ['open', 'Open'])),
          choice(
            'state_reason',
            'State Reason',
            choices(['completed', 'Completed'], ['not_planned', 'Not Planned'], ['reopened', 'Reopened']),
          ),
          text('title', 'Title', 'Title of the issue'),
        ]),
      ],
      run: (item) => item.send({ method: 'PATCH', path: pathOf(item), json: changesOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an issue',
      properties: [...inRepository, issueNumber],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    lock: {
      displayName: 'Lock',
      description: 'Locks the conversation of an issue',
      properties: [...inRepository, issueNumber, choice('lockReason', 'Lock Reason', reasons, { default: 'resolved' })],
      run: (item) =>
        item.perform({
          method: 'PUT',
          path: pathOf(item, '/lock'),
          json: { lock_reason: item.text('lockReason', 'resolved') },
        }),
    },
  },
};

function changesOf(item: ServiceItem): JsonObject {
  const { labels: _, assignees: __, ...fields } = item.fields('editFields');
  const [names, users] = [namesIn(item, 'editFields.labels', 'label'), namesIn(item, 'editFields.assignees', 'assignee')];
  return { ...fields, ...(names.length > 0 && { labels: names }), ...(users.length > 0 && { assignees: users }) };
}

/** Names in a list of `{ [field]: name }`. */
function namesIn(item: ServiceItem, path: string, field: string): string[] {
  return item.entries(path).flatMap((entry) => (typeof entry[field] === 'string' && entry[field] !== '' ? [entry[field]] : []));
}
