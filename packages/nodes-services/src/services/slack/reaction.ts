import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { read, write } from './slack-client.ts';
import { channel, channelOf, timestamp } from './slack-properties.ts';

const emoji = text('name', 'Emoji Code', 'Name of the emoji, without colons', { required: true });
const target = (item: ServiceItem) => ({ channel: channelOf(item), timestamp: item.required('timestamp') });
const nameOf = (item: ServiceItem) => ({ name: item.required('name').replaceAll(':', '') });

export const reaction: Resource = {
  displayName: 'Reaction',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a reaction to a message',
      properties: [channel, timestamp(), emoji],
      run: (item) => write(item, 'reactions.add', { ...target(item), ...nameOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets the reactions to a message',
      properties: [channel, timestamp()],
      run: (item) => item.send(read('reactions.get', target(item))),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a reaction from a message',
      properties: [channel, timestamp(), emoji],
      run: (item) => write(item, 'reactions.remove', { ...target(item), ...nameOf(item) }),
    },
  },
};
