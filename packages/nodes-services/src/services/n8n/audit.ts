import type { JsonObject } from '@sluice/node-sdk';
import { atLeast, choices, collection, number } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';

const categories = choices(
  ['credentials', 'Credentials'],
  ['database', 'Database'],
  ['filesystem', 'Filesystem'],
  ['instance', 'Instance'],
  ['nodes', 'Nodes'],
);

export const audit: Resource = {
  displayName: 'Audit',
  operations: {
    generate: {
      displayName: 'Generate',
      description: 'Reports risks of a service that has such a report. This service does not: use its audit log',
      properties: [
        collection('additionalOptions', 'Additional Options', [
          {
            displayName: 'Categories',
            name: 'categories',
            type: 'multiOptions',
            default: [],
            options: categories,
            description: 'Parts of the report; default: all',
          },
          atLeast(
            1,
            number('daysAbandonedWorkflow', 'Days Abandoned Workflow', 90, 'Days after which a workflow counts as unused'),
          ),
        ]),
      ],
      run(item) {
        const additionalOptions: JsonObject = item.fields('additionalOptions');
        return item.send({ path: '/audit', json: Object.keys(additionalOptions).length > 0 ? { additionalOptions } : {} });
      },
    },
  },
};
