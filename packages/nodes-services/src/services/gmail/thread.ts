import { collection, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idPath, listed, modify } from './gmail-client.ts';
import { body, filters, labelIds, listProperties, messageId, replyOptions, simple, threadId } from './gmail-properties.ts';
import { labelsOf } from './message.ts';
import { labelNames, simplified } from './read-message.ts';
import { reply } from './reply.ts';
import { searchQuery } from './search-query.ts';

const pathOf = (item: ServiceItem): string => idPath('threads', item.required('threadId'));

const moving = (action: 'trash' | 'untrash', displayName: string, description: string): Operation => ({
  displayName,
  description,
  properties: [threadId],
  run: (item) => item.send({ method: 'POST', path: `${pathOf(item)}/${action}` }),
});

export const thread: Resource = {
  displayName: 'Thread',
  initial: 'getAll',
  operations: {
    addLabels: {
      displayName: 'Add Label',
      description: 'Adds labels to all messages of a thread',
      properties: [threadId, labelIds],
      run: (item) => modify(item, pathOf(item), labelsOf(item)),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a thread permanently',
      properties: [threadId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a thread with its messages',
      properties: [
        threadId,
        simple,
        collection('options', 'Options', [
          toggle('returnOnlyMessages', 'Return Only Messages', 'Whether to return one item for each message'),
        ]),
      ],
      run: readThread,
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Finds threads, newest first',
      properties: [...listProperties, filters],
      run: async (item) => listed(item, 'threads', await searchQuery(item)),
    },
    removeLabels: {
      displayName: 'Remove Label',
      description: 'Removes labels from all messages of a thread',
      properties: [threadId, labelIds],
      run: (item) => modify(item, pathOf(item), [], labelsOf(item)),
    },
    reply: {
      displayName: 'Reply',
      description: 'Replies to a message in a thread',
      properties: [
        threadId,
        { ...messageId, required: false },
        ...body('text'),
        collection('options', 'Options', replyOptions),
      ],
      async run(item) {
        const { messages } = objectOf(await item.send({ path: pathOf(item), query: { format: 'minimal' } }));
        const last = objectsOf(messages).at(-1)?.['id'];
        return reply(item, item.optional('messageId') ?? asText(last ?? ''), 'text');
      },
    },
    trash: moving('trash', 'Trash', 'Moves a thread to the trash'),
    untrash: moving('untrash', 'Untrash', 'Moves a thread out of the trash'),
  },
};

async function readThread(item: ServiceItem) {
  const isSimple = item.toggle('simple', true);
  const query = { format: isSimple ? 'metadata' : 'full' };
  const response = objectOf(await item.send({ path: pathOf(item), query }));
  const labels = isSimple ? await labelNames(item) : new Map<string, string>();
  const messages = objectsOf(response['messages']).map((one) => (isSimple ? simplified(one, labels) : one));
  return item.toggle('options.returnOnlyMessages') ? messages : { ...response, messages };
}
