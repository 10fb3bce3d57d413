import type { NodeProperty } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { defaultLimit } from './slack-client.ts';

/** Matches browser URLs of a channel and a user. */
const channelUrl = /\/(?:archives|client\/T\w+)\/([CDG]\w+)/;
const userUrl = /\/(?:team|user_profile)\/([UW]\w+)/;

export const channel = text('channelId', 'Channel', 'The channel: from the list, by ID, by name, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'getChannels' },
});

export const user = (name = 'user'): NodeProperty =>
  text(name, 'User', 'The user: from the list, by ID, or by name', {
    required: true,
    typeOptions: { searchListMethod: 'getUsers' },
  });

export const listProperties = listPropertiesOf(defaultLimit);

export const timestamp = (name = 'timestamp'): NodeProperty =>
  text(name, 'Message Timestamp', 'Timestamp of the message, which is its identifier: `1700000000.000100`', { required: true });

/** Channel ID; a name starts with `#`. */
export function channelOf(item: ServiceItem, path = 'channelId'): string {
  const id = item.id(path, channelUrl);
  return item.mode(path) === 'name' && !id.startsWith('#') ? `#${id}` : id;
}

/** User ID; a name starts with `@`. */
export function userOf(item: ServiceItem, path = 'user'): string {
  const id = item.id(path, userUrl);
  return item.mode(path) === 'username' && !id.startsWith('@') ? `@${id}` : id;
}
