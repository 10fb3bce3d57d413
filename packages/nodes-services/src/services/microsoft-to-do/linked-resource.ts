import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { inPath, operationsOn, taskId, taskListId, tasksPath } from './to-do-client.ts';

const displayName = text('displayName', 'Name', 'Title of the link');
const applicationName = text('applicationName', 'Application Name', 'Name of the app that the link leads to');
const more = [
  text('externalId', 'External ID', 'ID of the object in the other app'),
  text('webUrl', 'Web URL', 'Address of the link'),
];

/** https://learn.microsoft.com/graph/api/resources/linkedresource */
export const linkedResource: Resource = {
  displayName: 'Linked Resource',
  initial: 'getAll',
  operations: operationsOn({
    one: 'a link of a task',
    many: 'links of a task',
    parents: [taskListId, taskId],
    id: text('linkedResourceId', 'Linked Resource ID', 'ID of the link', { required: true }),
    pathOf: (item) => `${tasksPath(item)}/${inPath(item, 'taskId')}/linkedResources`,
    create: {
      properties: [
        { ...displayName, required: true },
        { ...applicationName, required: true },
        collection('additionalFields', 'Additional Fields', more),
      ],
      bodyOf: (item) => ({
        displayName: item.required('displayName'),
        applicationName: item.required('applicationName'),
        ...item.fields('additionalFields'),
      }),
    },
    update: {
      properties: [collection('updateFields', 'Update Fields', [applicationName, displayName, ...more])],
      bodyOf: (item) => item.fields('updateFields'),
    },
  }),
};
