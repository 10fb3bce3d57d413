import { type NodeType, pollTimesProperty } from '@sluice/node-sdk';
import { choice, choices, collection, number, toggle, when } from '@sluice/nodes-base/node-tools';
import { googleAccount } from '../../shared/google-account.ts';
import { textOf } from '../../shared/json-values.ts';
import { ServiceNode } from '../../shared/service-item.ts';
import { gmailClient, listed } from './gmail-client.ts';
import { filterProperties, readOptions, simple } from './gmail-properties.ts';
import { arrivedQuery, newMessages } from './new-messages.ts';
import { readMessages } from './read-message.ts';

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
    const ids = context.mode === 'manual' ? await latest(node) : await newMessages(node);
    const messages = await readMessages(node, ids, node.toggle('simple', true));
    return messages.length > 0 ? messages.map(({ json, binary }) => ({ json, binary })) : null;
  },
};

async function latest(node: ServiceNode): Promise<string[]> {
  return (await listed(node, 'messages', await arrivedQuery(node), 1)).map(({ id }) => textOf(id));
}
