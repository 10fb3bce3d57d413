import { collection, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { tweet } from './tweet.ts';
import { dataOf, listOf, twitterClient, userIdOf, userOf, userProperty } from './twitter-client.ts';

const directMessage: Resource = {
  displayName: 'Direct Message',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Sends a direct message to a user',
      properties: [
        userProperty,
        text('text', 'Text', 'Text of the message, at most 10,000 characters', { required: true }),
        collection('additionalFields', 'Additional Fields', [text('attachments', 'Attachment ID', 'ID of an uploaded media')]),
      ],
      run: async (item) => {
        const media = item.optional('additionalFields.attachments');
        return dataOf(
          item.send({
            path: `/dm_conversations/with/${await userIdOf(item)}/messages`,
            json: { text: item.required('text'), ...(media !== undefined && { attachments: [{ media_id: media }] }) },
          }),
        );
      },
    },
  },
};

const list: Resource = {
  displayName: 'List',
  operations: {
    add: {
      displayName: 'Add Member',
      description: 'Adds a user to a list',
      properties: [text('list', 'List', 'The list: by ID or by URL', { required: true }), userProperty],
      run: async (item) =>
        dataOf(
          item.send({ path: `/lists/${encodeURIComponent(listOf(item))}/members`, json: { user_id: await userIdOf(item) } }),
        ),
    },
  },
};

const user: Resource = {
  displayName: 'User',
  operations: {
    searchUser: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [toggle('me', 'Me', 'Whether to get the connected user'), { ...userProperty, ...where({ me: [false] }) }],
      run: (item) => (item.toggle('me') ? dataOf(item.send({ path: '/users/me' })) : userOf(item)),
    },
  },
};

export const twitter = defineService({
  displayName: 'X (Formerly Twitter)',
  name: 'twitter',
  version: [1, 2],
  description: 'Creates, finds, likes, and reposts posts on X, and sends direct messages',
  credentials: [
    { name: 'twitterOAuth1Api', required: true, ...when([1]) },
    { name: 'twitterOAuth2Api', required: true, ...when([2]) },
  ],
  icon: 'fa:hashtag',
  iconColor: 'gray',
  client: twitterClient,
  resources: { directMessage, list, tweet, user },
  initial: 'tweet',
});
