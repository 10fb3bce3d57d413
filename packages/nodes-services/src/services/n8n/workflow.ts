import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, sendEither } from './n8n-client.ts';
import { listProperties, workflowId, workflowObject, workflowUrl } from './n8n-properties.ts';

const excludePinnedData = toggle('excludePinnedData', 'Exclude Pinned Data', 'Whether to leave out the pinned data');

const pathOf = (item: ServiceItem, action = '') =>
  `/workflows/${encodeURIComponent(item.id('workflowId', workflowUrl))}${action}`;

export const workflow: Resource = {
  displayName: 'Workflow',
  initial: 'getAll',
  operations: {
    activate: switched('Activate', 'Makes the newest version of a workflow active', '/activate'),
    create: {
      displayName: 'Create',
      description: 'Creates an inactive workflow',
      properties: [workflowObject],
      run: (item) => item.send({ path: '/workflows', json: writable(item) }),
    },
    deactivate: switched('Deactivate', 'Makes a workflow inactive', '/deactivate'),
    delete: {
      displayName: 'Delete',
      description: 'Deletes a workflow and its executions',
      properties: [workflowId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a workflow',
      properties: [workflowId, collection('additionalOptions', 'Additional Options', [excludePinnedData])],
      run: (item) => item.send({ path: pathOf(item), query: item.fields('additionalOptions') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists workflows',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          toggle('activeWorkflows', 'Only Active Workflows', 'Whether to return only active workflows'),
          text('tags', 'Tags', 'Names of tags that all of them have, separated by commas'),
          text('name', 'Name', 'Part of the name'),
          text('projectId', 'Project ID', 'ID of the project'),
          excludePinnedData,
        ]),
      ],
      run: (item) => {
        const { activeWorkflows, ...filters } = item.fields('filters');
        return listed(item, '/workflows', { ...filters, ...(activeWorkflows !== undefined && { active: activeWorkflows }) });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a workflow',
      properties: [workflowId, workflowObject],
      run: (item) => {
        const request = { path: pathOf(item), json: writable(item) };
        return sendEither(item, { ...request, method: 'PATCH' }, { ...request, method: 'PUT' });
      },
    },
  },
};

function switched(displayName: string, description: string, action: string): Operation {
  return {
    displayName,
    description,
    properties: [workflowId],
    run: (item) => item.send({ method: 'POST', path: pathOf(item, action) }),
  };
}

/** Writable workflow members; the others in an exported workflow are read-only. */
const members = ['name', 'nodes', 'connections', 'settings', 'staticData'];

function writable(item: ServiceItem): JsonObject {
  const definition = item.json('workflowObject');
  if (!isJsonObject(definition))
    throw item.error('the parameter "workflowObject" is not a workflow', 'Set it to the JSON of a workflow');
  const entries = members.map((name): [string, JsonValue | undefined] => [name, ownProperty(definition, name)]);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== null),
  );
}
