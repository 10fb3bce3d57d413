import { type NodeType, type PollContext, pollTimesProperty } from '@sluice/node-sdk';
import { choice, choices, collection, number, toggle, when } from '@sluice/nodes-base/node-tools';
import type { FileItem } from '../../shared/file-item.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { textOf } from '../../shared/json-values.ts';
import { portionBytes } from '../../shared/paging.ts';
import { ServiceNode } from '../../shared/service-item.ts';
import { gmailClient, listed } from './gmail-client.ts';
import { filterProperties, readOptions, simple } from './gmail-properties.ts';
import { arrivedQuery, newMessages } from './new-messages.ts';
import { type MailNode, readMessages } from './read-message.ts';

const version = [1, 1.1, 1.2, 1.3, 1.4];
const { credentials, leading } = googleAccount('gmailOAuth2', { version });

/** Starts with messages that arrived since the last poll. */
export const gmailTrigger: NodeType = {
  description: {
    displayName: 'Gmail Trigger',
    name: 'gmail-trigger',
    group: ['trigger'],
    version,
    description:
      'Starts the workflow when messages arrive in Gmail, with one item per message. Each message starts the workflow once, also if it arrives late or with an old date. Messages of the first poll count as known. A manual run outputs the latest message',
    defaults: { name: 'Gmail Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:envelope',
    iconColor: 'red',
    credentials,
    properties: [
      ...leading,
      pollTimesProperty,
      choice('event', 'Event', choices(['messageReceived', 'Message Received'])),
      simple,
      number('maxResults', 'Max Emails per Poll', 10, 'Most messages of a poll; the next polls give the others', {
        typeOptions: { minValue: 1, maxValue: 50 },
        ...when([1.4]),
      }),
      collection('filters', 'Filters', [
        ...filterProperties,
        toggle('includeDrafts', 'Include Drafts', 'Whether drafts start the workflow'),
      ]),
      readOptions,
    ],
  },
  async poll(context) {
    const node = new ServiceNode(context, 0, gmailClient);
    const messages = context.mode === 'manual' ? await readShown(node, await latest(node)) : await readNew(node);
    return messages.length > 0 ? messages.map(({ json, binary }) => ({ json, binary })) : null;
  },
};

const readShown = (node: MailNode, ids: readonly string[], enoughBytes?: number) =>
  readMessages(node, ids, node.toggle('simple', true), enoughBytes);

/** New messages; messages beyond the total size limit wait for the next poll. */
async function readNew(node: MailNode & ServiceNode<PollContext>): Promise<FileItem[]> {
  const { ids, position } = await newMessages(node);
  const messages = await readShown(node, ids, portionBytes);
  node.context.saveCursor({ ...position, waiting: [...ids.slice(messages.length), ...position.waiting] });
  return messages;
}

async function latest(node: ServiceNode): Promise<string[]> {
  return (await listed(node, 'messages', await arrivedQuery(node), 1)).map(({ id }) => textOf(id));
}
