import { isJsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, sendEither } from './n8n-client.ts';
import { listProperties, workflowUrl } from './n8n-properties.ts';

const executionId = text('executionId', 'Execution ID', 'ID of the execution', { required: true });

/** The format uses this name for it. */
const details = options([
  toggle('activeWorkflows', 'Include Execution Details', 'Whether to return the data of the nodes, too'),
]);

const pathOf = (item: ServiceItem, action = '') => `/executions/${encodeURIComponent(item.id('executionId'))}${action}`;
const dataQuery = (item: ServiceItem) => (item.toggle('options.activeWorkflows') ? { includeData: true } : {});

export const execution: Resource = {
  displayName: 'Execution',
  initial: 'getAll',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets an execution',
      properties: [executionId, details],
      run: (item) => item.send({ path: pathOf(item), query: dataQuery(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists executions, latest first',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('workflowId', 'Workflow', 'The workflow: from the list, by ID, or by URL', {
            typeOptions: { searchListMethod: 'searchWorkflows' },
          }),
          choice(
            'status',
            'Status',
            choices(
              ['error', 'Error'],
              ['success', 'Success'],
              ['waiting', 'Waiting'],
              ['running', 'Running'],
              ['canceled', 'Canceled'],
              ['crashed', 'Crashed'],
              ['new', 'New'],
            ),
          ),
          text('projectId', 'Project ID', 'ID of the project'),
        ]),
        details,
      ],
      run: (item) => {
        const { workflowId, ...filters } = item.fields('filters');
        const isChosen = isJsonObject(workflowId) ? (workflowId['value'] ?? '') !== '' : workflowId !== undefined;
        const chosen = isChosen ? { workflowId: item.id('filters.workflowId', workflowUrl) } : {};
        return listed(item, '/executions', { ...filters, ...chosen, ...dataQuery(item) });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an execution',
      properties: [executionId],
      run: (item) => {
        const request = { path: '/executions/delete', json: { ids: [item.id('executionId')] } };
        return sendEither(item, request, { method: 'DELETE', path: pathOf(item) });
      },
    },
    retry: {
      displayName: 'Retry',
      description: 'Retries a failed execution',
      properties: [
        executionId,
        options([toggle('loadWorkflow', 'Load Workflow', 'Whether to use the newest version of the workflow')]),
      ],
      run: (item) => item.send({ path: pathOf(item, '/retry'), json: { loadWorkflow: item.toggle('options.loadWorkflow') } }),
    },
    stop: {
      displayName: 'Stop',
      description: 'Stops an execution',
      properties: [executionId],
      run: (item) => item.send({ method: 'POST', path: pathOf(item, '/stop') }),
    },
  },
};
