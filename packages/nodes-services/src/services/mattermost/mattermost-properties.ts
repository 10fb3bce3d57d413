import type { NodeProperty } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';

const loaded = (name: string, displayName: string, what: string, loadOptionsMethod: string): NodeProperty =>
  text(name, displayName, `ID of the ${what}`, { required: true, typeOptions: { loadOptionsMethod } });

export const channelId = loaded('channelId', 'Channel Name or ID', 'channel', 'getChannels');
export const channelInTeam = loaded('channelId', 'Channel Name or ID', 'channel', 'getChannelsInTeam');
export const teamId = loaded('teamId', 'Team Name or ID', 'team', 'getTeams');
export const userId = loaded('userId', 'Username or ID', 'user', 'getUsers');
export const postId = text('postId', 'Post ID', 'ID of the message', { required: true });

export const listProperties = listPropertiesOf(100);
