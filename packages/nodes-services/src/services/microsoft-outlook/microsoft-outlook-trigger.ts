import { type Item, type NodeType, pollTimesProperty } from '@sluice/node-sdk';
import { choice, choices, collection } from '@sluice/nodes-base/node-tools';
import { ServiceNode } from '../../shared/service-item.ts';
import { readOptions } from './message.ts';
import { chosenFields, latestMessage, newMessages } from './new-messages.ts';
import { filterMembers, folderChoices, outlookClient, outputProperties, shaped } from './outlook-client.ts';
import { withAttachments } from './read-attachments.ts';

/** The trigger already filters for new messages. */
const filters = filterMembers.filter(({ name }) => !name.startsWith('received'));

/** Starts with messages that arrived since the last poll. */
export const microsoftOutlookTrigger: NodeType = {
  description: {
    displayName: 'Microsoft Outlook Trigger',
    name: 'microsoft-outlook-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when messages arrive in Outlook, with one item per message. Messages of the first poll count as known. A manual run outputs the latest message',
    defaults: { name: 'Microsoft Outlook Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:envelope',
    iconColor: 'blue',
    credentials: [{ name: 'microsoftOutlookOAuth2Api', required: true }],
    properties: [
      pollTimesProperty,
      choice('event', 'Trigger On', choices(['messageReceived', 'Message Received'])),
      ...outputProperties,
      collection('filters', 'Filters', filters),
      readOptions,
    ],
  },
  methods: { loadOptions: { getFolders: folderChoices } },
  async poll(context) {
    const node = new ServiceNode(context, 0, outlookClient);
    const messages = context.mode === 'manual' ? await latestMessage(node) : await newMessages(node);
    const items: Item[] = [];
    for (const message of messages) {
      const chosen = chosenFields(node, message);
      if (node.toggle('options.downloadAttachments')) {
        const { json, binary } = await withAttachments(node, chosen);
        items.push({ json, binary });
      } else items.push({ json: shaped(node.text('output', 'simple'), chosen) });
    }
    return items.length > 0 ? items : null;
  },
};
