import type { NodeProperty } from '@sluice/node-sdk';
import { options, text, toggle } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** Matches browser URLs: `https://discord.com/channels/<server>/<channel>`. */
export const guildUrl = /discord\.com\/channels\/(\d+)/;
const channelUrl = /discord\.com\/channels\/\d+\/(\d+)/;
const userUrl = /discord\.com\/users\/(\d+)/;

const guildText = 'The server: from the list, by ID, or by URL';
export const guild = text('guildId', 'Server', guildText, {
  required: true,
  typeOptions: { searchListMethod: 'guildSearch' },
});
/** For operations whose channel or user has a globally unique ID; editors list them by server. */
export const guildOfList = text('guildId', 'Server', `${guildText}; for the lists of channels and users`, {
  typeOptions: { searchListMethod: 'guildSearch' },
});
export const channel = text('channelId', 'Channel', 'The channel: from the list, by ID, or by URL', {
  required: true,
  typeOptions: { searchListMethod: 'channelSearch' },
});
export const user = (more: Partial<NodeProperty> = {}): NodeProperty =>
  text('userId', 'User', 'The user: from the list, by ID, or by URL', {
    required: true,
    typeOptions: { searchListMethod: 'userSearch' },
    ...more,
  });
export const messageId = text('messageId', 'Message ID', 'ID of the message', { required: true });

export const defaultLimit = 100;
export const listProperties = listPropertiesOf(defaultLimit);
export const simplify = options([toggle('simplify', 'Simplify', 'Whether to return a few fields instead of all')]);

export const guildOf = (item: ServiceItem): string => encodeURIComponent(item.id('guildId', guildUrl));
export const userOf = (item: ServiceItem): string => item.id('userId', userUrl);

/** Path of the channel that the parameters name. */
export const channelPath = (item: ServiceItem): string => `/channels/${encodeURIComponent(item.id('channelId', channelUrl))}`;
