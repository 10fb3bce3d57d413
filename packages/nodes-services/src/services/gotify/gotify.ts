import { credentialText } from '@sluice/node-sdk';
import { choice, choices, collection, number, options, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://gotify.net/api-docs */
const client = new ApiClient({
  service: 'Gotify',
  credentialType: 'gotifyApi',
  baseUrl: (data) => credentialText(data, 'url').trim().replace(/\/$/, ''),
  refusalOf({ body }) {
    const { errorDescription } = objectOf(body);
    return typeof errorDescription === 'string' ? { text: errorDescription } : {};
  },
});

const pageSize = 100;
/** The next page begins below an ID. */
const pages: Paging = {
  list: 'messages',
  next({ body }) {
    const { next, since } = objectOf(objectOf(body)['paging']);
    return typeof next === 'string' && typeof since === 'number' ? { query: { since } } : undefined;
  },
};

const message: Resource = {
  displayName: 'Message',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Sends a message',
      properties: [
        text('message', 'Message', 'Text of the message', { required: true, typeOptions: { rows: 4 } }),
        collection('additionalFields', 'Additional Fields', [
          number('priority', 'Priority', 1, 'From 0 (silent) to 10'),
          text('title', 'Title', 'Title of the message; default: the name of the application'),
        ]),
        options([choice('contentType', 'Content Type', choices(['text/plain', 'Plain Text'], ['text/markdown', 'Markdown']))]),
      ],
      run: send,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a message',
      properties: [text('messageId', 'Message ID', 'ID of the message', { required: true })],
      run: (item) =>
        item.perform({ method: 'DELETE', path: `/message/${encodeURIComponent(item.required('messageId').trim())}` }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the messages, the newest first',
      properties: listPropertiesOf(20),
      run: (item) => item.list({ path: '/message', query: { limit: pageSize } }, pages, item.limit(20)),
    },
  },
};

function send(item: ServiceItem) {
  const { priority } = item.fields('additionalFields');
  const title = item.text('additionalFields.title');
  const contentType = item.text('options.contentType');
  const json = {
    message: item.required('message'),
    ...(title !== '' && { title }),
    ...(priority !== undefined && { priority: item.number('additionalFields.priority', 1) }),
    ...(contentType !== '' && { extras: { 'client::display': { contentType } } }),
  };
  return item.send({ path: '/message', json });
}

/** Notifications through a Gotify server. */
export const gotify = defineService({
  displayName: 'Gotify',
  name: 'gotify',
  version: 1,
  description: 'Sends, lists, and deletes messages of a Gotify server',
  credentials: [{ name: 'gotifyApi', required: true }],
  icon: 'fa:bell',
  iconColor: 'blue',
  group: ['output'],
  client,
  resources: { message },
});
