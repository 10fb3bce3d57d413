import { isJsonObject } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { call } from './telegram-client.ts';
import { chatId } from './telegram-properties.ts';

const operation = (
  displayName: string,
  description: string,
  run: Operation['run'],
  ...more: Operation['properties']
): Operation => ({
  displayName,
  description,
  properties: [chatId, ...more],
  run,
});

const target = (item: ServiceItem) => ({ chat_id: item.required('chatId') });

export const chat: Resource = {
  displayName: 'Chat',
  initial: 'get',
  operations: {
    get: operation('Get', 'Gets a chat', (item) => call(item, 'getChat', target(item))),
    administrators: operation('Get Administrators', 'Lists the administrators of a chat, one item each', async (item) => {
      const response = await call(item, 'getChatAdministrators', target(item));
      return isJsonObject(response) ? response['result'] : response;
    }),
    member: operation(
      'Get Member',
      'Gets a member of a chat',
      (item) => call(item, 'getChatMember', { ...target(item), user_id: item.required('userId') }),
      text('userId', 'User ID', 'Identifier of the user', { required: true }),
    ),
    leave: operation('Leave', 'Leaves a group or channel', (item) => call(item, 'leaveChat', target(item))),
    setDescription: operation(
      'Set Description',
      'Changes the description of a chat',
      (item) => call(item, 'setChatDescription', { ...target(item), description: item.text('description') }),
      text('description', 'Description', 'New description, at most 255 characters', { required: true }),
    ),
    setTitle: operation(
      'Set Title',
      'Changes the title of a chat',
      (item) => call(item, 'setChatTitle', { ...target(item), title: item.required('title') }),
      text('title', 'Title', 'New title, at most 128 characters', { required: true }),
    ),
  },
};
