import { type JsonValue, parseJson } from '@sluice/node-sdk';
import { atLeast, collection, number, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Produced, type Resource } from '../../shared/define-service.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://hub.phantombuster.com/reference */
const client = new ApiClient({
  service: 'Phantombuster',
  credentialType: 'phantombusterApi',
  baseUrl: 'https://api.phantombuster.com/api/v2',
});

const agentId = text('agentId', 'Agent ID', 'ID of the agent (phantom), the number in its address', { required: true });
const argument = (name: string, displayName: string, description: string) =>
  text(name, displayName, description, { type: 'json' });

const agent: Resource = {
  displayName: 'Agent',
  initial: 'launch',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Deletes an agent',
      properties: [agentId],
      run: (item) => item.perform({ path: '/agents/delete', json: { id: idOf(item) } }),
    },
    get: {
      displayName: 'Get',
      description: 'Returns an agent',
      properties: [agentId],
      run: (item) => item.send({ path: '/agents/fetch', query: { id: idOf(item) } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the agents of the account',
      properties: listPropertiesOf(25),
      run: (item) => item.list({ path: '/agents/fetch-all' }, onePage(), item.limit(25)),
    },
    getOutput: {
      displayName: 'Get Output',
      description: 'Returns the results of the latest run of an agent; without results, its status and console output',
      properties: [agentId, collection('additionalFields', 'Additional Fields', [])],
      run: output,
    },
    launch: {
      displayName: 'Launch',
      description: 'Adds an agent to the queue, and returns the ID of the run',
      properties: [
        agentId,
        collection('additionalFields', 'Additional Fields', [
          argument('argument', 'Argument', 'JSON that replaces the saved argument of the agent'),
          argument('bonusArgument', 'Bonus Argument', 'JSON that is merged with the argument, for this run only'),
          toggle('manualLaunch', 'Manual Launch', 'Whether the run counts as launched manually'),
          atLeast(1, number('maxInstanceCount', 'Max Instance Count', 1, 'Do not launch if this many runs are active')),
          toggle('saveArgument', 'Save Argument', 'Whether the argument becomes the saved argument of the agent'),
        ]),
      ],
      run: launch,
    },
  },
};

const idOf = (item: ServiceItem) => item.required('agentId').trim();

function launch(item: ServiceItem): Promise<JsonValue | undefined> {
  const field = (name: string) => `additionalFields.${name}`;
  const { maxInstanceCount } = item.fields('additionalFields');
  const json = {
    id: idOf(item),
    argument: item.json(field('argument')),
    bonusArgument: item.json(field('bonusArgument')),
    ...(maxInstanceCount !== undefined && { maxInstanceCount: item.number(field('maxInstanceCount'), 1) }),
    ...(item.toggle(field('manualLaunch')) && { manualLaunch: true }),
    ...(item.toggle(field('saveArgument')) && { saveArgument: true }),
  };
  return item.send({ path: '/agents/launch', json });
}

async function output(item: ServiceItem): Promise<Produced> {
  const latest = objectOf(await item.send({ path: '/agents/fetch-output', query: { id: idOf(item) } }));
  const run = textOf(latest['containerId']);
  if (run === '') return latest;
  const { resultObject } = objectOf(await item.send({ path: '/containers/fetch-result-object', query: { id: run } }));
  return typeof resultObject === 'string' && resultObject !== '' ? resultsOf(item, resultObject) : latest;
}

/** The service stores results as JSON text. */
async function resultsOf(item: ServiceItem, result: string): Promise<JsonValue> {
  try {
    return (await parseJson(result)) as JsonValue;
  } catch {
    throw item.error('the results of the agent are not JSON', 'Run the agent again, or download its result file');
  }
}

/** Launches agents that collect data, and returns their results. */
export const phantombuster = defineService({
  displayName: 'Phantombuster',
  name: 'phantombuster',
  version: 1,
  description: 'Launches agents of Phantombuster, and returns their results',
  credentials: [{ name: 'phantombusterApi', required: true }],
  icon: 'fa:ghost',
  group: ['input'],
  client,
  resources: { agent },
});
