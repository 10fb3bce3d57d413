import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { idPath } from './gmail-client.ts';
import { listProperties } from './gmail-properties.ts';

const labelId = text('labelId', 'Label ID', 'ID of the label', { required: true });

export const label: Resource = {
  displayName: 'Label',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a label',
      properties: [
        text('name', 'Name', 'Name of the label; `/` nests labels', { required: true }),
        collection('options', 'Options', [
          choice(
            'labelListVisibility',
            'Label List Visibility',
            choices(['labelShow', 'Show'], ['labelHide', 'Hide'], ['labelShowIfUnread', 'Show if Unread']),
          ),
          choice('messageListVisibility', 'Message List Visibility', choices(['show', 'Show'], ['hide', 'Hide'])),
        ]),
      ],
      run: (item) => item.send({ path: '/labels', json: { name: item.required('name'), ...item.fields('options') } }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a label',
      properties: [labelId],
      run: (item) => item.perform({ method: 'DELETE', path: idPath('labels', item.required('labelId')) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a label',
      properties: [labelId],
      run: (item) => item.send({ path: idPath('labels', item.required('labelId')) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the labels',
      properties: listProperties,
      run: async (item) => objectsOf(objectOf(await item.send({ path: '/labels' }))['labels']).slice(0, item.limit()),
    },
  },
};
