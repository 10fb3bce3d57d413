import { choice, choiceParameter, choices, collection, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { inRepository, listed, listProperties, repositoryPath } from './github-properties.ts';

const pullRequestNumber = number('pullRequestNumber', 'PR Number', 0, 'Number of the pull request', { required: true });
const reviewId = text('reviewId', 'Review ID', 'ID of the review', { required: true });
const body = text('body', 'Body', 'Text of the review; required to request changes or to comment');
const events = choices(
  ['approve', 'Approve', 'Approves the pull request'],
  ['requestChanges', 'Request Changes', 'Requests changes'],
  ['comment', 'Comment', 'Comments without approval'],
  ['pending', 'Pending', 'Stays a draft until it is submitted'],
);
/** API event; absent for a draft. */
const eventNames: ReadonlyMap<string, string> = new Map([
  ['approve', 'APPROVE'],
  ['requestChanges', 'REQUEST_CHANGES'],
  ['comment', 'COMMENT'],
]);

const pathOf = (item: ServiceItem, more = '') =>
  repositoryPath(item, `/pulls/${encodeURIComponent(asText(item.number('pullRequestNumber', 0)))}/reviews${more}`);
const onePath = (item: ServiceItem) => pathOf(item, `/${encodeURIComponent(item.id('reviewId'))}`);

export const review: Resource = {
  displayName: 'Review',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a review of a pull request',
      properties: [
        ...inRepository,
        pullRequestNumber,
        choice('event', 'Event', events),
        body,
        collection('additionalFields', 'Additional Fields', [
          text('commitId', 'Commit ID', 'Commit that is reviewed; default: the latest'),
        ]),
      ],
      run(item) {
        const event = choiceParameter(
          item.context,
          'event',
          item.index,
          events.map(({ value }) => asText(value)),
          'approve',
        );
        return item.send({
          path: pathOf(item),
          json: {
            event: eventNames.get(event),
            body: item.optional('body'),
            commit_id: item.optional('additionalFields.commitId'),
          },
        });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a review',
      properties: [...inRepository, pullRequestNumber, reviewId],
      run: (item) => item.send({ path: onePath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the reviews of a pull request',
      properties: [...inRepository, pullRequestNumber, ...listProperties],
      run: (item) => listed(item, pathOf(item)),
    },
    update: {
      displayName: 'Update',
      description: 'Changes the text of a review',
      properties: [...inRepository, pullRequestNumber, reviewId, { ...body, required: true }],
      run: (item) => item.send({ method: 'PUT', path: onePath(item), json: { body: item.required('body') } }),
    },
  },
};
