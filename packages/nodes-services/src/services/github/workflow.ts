import { isJsonObject } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pageSize, pages } from './github-client.ts';
import { inRepository, listProperties, repositoryPath } from './github-properties.ts';

const workflowId = text('workflowId', 'Workflow', 'ID of the workflow, or name of its file, such as `main.yml`', {
  required: true,
});

const pathOf = (item: ServiceItem, more = '') =>
  repositoryPath(item, `/actions/workflows/${encodeURIComponent(item.id('workflowId'))}${more}`);

const switched = (displayName: string, description: string, path: string): Operation => ({
  displayName,
  description,
  properties: [...inRepository, workflowId],
  run: (item) => item.perform({ method: 'PUT', path: pathOf(item, path) }),
});

/** Workflows of GitHub Actions. */
export const workflow: Resource = {
  displayName: 'Workflow',
  initial: 'dispatch',
  operations: {
    disable: switched('Disable', 'Disables a workflow', '/disable'),
    dispatch: {
      displayName: 'Dispatch',
      description: 'Starts a workflow that has the event `workflow_dispatch`',
      properties: [
        ...inRepository,
        workflowId,
        text('ref', 'Ref', 'Branch or tag', { default: 'main', required: true }),
        {
          displayName: 'Inputs',
          name: 'inputs',
          type: 'json',
          default: '{}',
          description: 'Workflow inputs as JSON',
        },
      ],
      async run(item) {
        const inputs = item.json('inputs') ?? {};
        if (!isJsonObject(inputs))
          throw item.error('the parameter "inputs" is not an object', 'Set it to JSON such as { "name": "Ada" }');
        return item.perform({ path: pathOf(item, '/dispatches'), json: { ref: item.id('ref'), inputs } });
      },
    },
    enable: switched('Enable', 'Enables a workflow', '/enable'),
    get: {
      displayName: 'Get',
      description: 'Gets a workflow',
      properties: [...inRepository, workflowId],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    getUsage: {
      displayName: 'Get Usage',
      description: 'Gets the billable time of a workflow',
      properties: [...inRepository, workflowId],
      run: (item) => item.send({ path: pathOf(item, '/timing') }),
    },
    list: {
      displayName: 'List',
      description: 'Lists the workflows of a repository',
      properties: [...inRepository, ...listProperties],
      run: (item) =>
        item.list(
          { path: repositoryPath(item, '/actions/workflows'), query: { per_page: Math.min(item.limit(), pageSize) } },
          { ...pages, list: 'workflows' },
        ),
    },
  },
};
