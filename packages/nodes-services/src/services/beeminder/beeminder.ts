import type { JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, number, options, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://api.beeminder.com: `me` is the user of the token. */
const client = new ApiClient({
  service: 'Beeminder',
  credentialType: 'beeminderApi',
  baseUrl: 'https://www.beeminder.com/api/v1/users/me',
});

const goalName = text('goalName', 'Goal Name', 'Name of the goal, as in its address', { required: true });
const datapointId = text('datapointId', 'Datapoint ID', 'ID of the datapoint', { required: true });
const comment = text('comment', 'Comment', 'Comment on the value');
const timestamp = text('timestamp', 'Timestamp', 'Time of the value; default: now', { type: 'dateTime' });

const goalPath = (item: ServiceItem) => `/goals/${encodeURIComponent(item.required('goalName').trim())}`;
const datapointPath = (item: ServiceItem) =>
  `${goalPath(item)}/datapoints/${encodeURIComponent(item.required('datapointId').trim())}.json`;

const pageSize = 300;
const pages: Paging = {
  list: '',
  next: (_, count, page) => (count === page * pageSize ? { query: { page: page + 1 } } : undefined),
};

const datapoint: Resource = {
  displayName: 'Datapoint',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a value to a goal',
      properties: [
        goalName,
        number('value', 'Value', 1, 'The value', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          comment,
          text('requestid', 'Request ID', 'A value with the same ID is stored once, and changed by another one'),
          timestamp,
        ]),
      ],
      run: create,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a value',
      properties: [goalName, datapointId],
      run: (item) => item.send({ method: 'DELETE', path: datapointPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the values of a goal',
      properties: [
        goalName,
        ...listPropertiesOf(30),
        options([choice('sort', 'Sort', choices(['id', 'ID'], ['timestamp', 'Timestamp'], ['value', 'Value']))]),
      ],
      run: (item) => {
        const query = { sort: item.text('options.sort'), page: 1, per: pageSize };
        return item.list({ path: `${goalPath(item)}/datapoints.json`, query }, pages, item.limit(30));
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a value',
      properties: [
        goalName,
        datapointId,
        collection('updateFields', 'Update Fields', [comment, timestamp, number('value', 'Value', 1, 'The value')]),
      ],
      run: update,
    },
  },
};

/** Members as the form of the API. */
async function formOf(item: ServiceItem, group: string): Promise<Record<string, string>> {
  const seconds = await item.seconds(`${group}.timestamp`);
  const texts = ['comment', 'requestid'].map((name) => [name, item.text(`${group}.${name}`)]);
  const filled = texts.filter(([, value]) => value !== '');
  return { ...Object.fromEntries(filled), ...(seconds !== undefined && { timestamp: asText(seconds) }) };
}

async function create(item: ServiceItem): Promise<JsonValue | undefined> {
  const form = { value: asText(item.number('value', 1)), ...(await formOf(item, 'additionalFields')) };
  return item.send({ path: `${goalPath(item)}/datapoints.json`, form });
}

async function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const { value } = item.fields('updateFields');
  const form = {
    ...(await formOf(item, 'updateFields')),
    ...(value !== undefined && { value: asText(item.number('updateFields.value', 1)) }),
  };
  return item.send({ method: 'PUT', path: datapointPath(item), form });
}

/** Values of goals. */
export const beeminder = defineService({
  displayName: 'Beeminder',
  name: 'beeminder',
  version: 1,
  description: 'Adds, lists, changes, and deletes the values of goals in Beeminder',
  credentials: [{ name: 'beeminderApi', required: true }],
  icon: 'fa:chart-line',
  iconColor: 'orange',
  group: ['output'],
  client,
  resources: { datapoint },
});
