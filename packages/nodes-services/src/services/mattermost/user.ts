import type { JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, namesParameter, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectsOf } from '../../shared/json-values.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, part } from './mattermost-client.ts';
import { listProperties, postId, teamId, userId } from './mattermost-properties.ts';

const levels = choices(['all', 'All'], ['mention', 'Mention'], ['none', 'None']);
const byEmail = where({ authService: ['email'] });
const byService = where({ authService: ['gitlab', 'google', 'ldap', 'office365', 'saml'] });

/** https://developers.mattermost.com/api-documentation/#/operations/CreateUser */
export const user: Resource = {
  displayName: 'User',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a user',
      properties: [
        text('username', 'Username', 'Name of the user', { required: true }),
        choice(
          'authService',
          'Auth Service',
          choices(
            ['email', 'Email'],
            ['gitlab', 'GitLab'],
            ['google', 'Google'],
            ['ldap', 'LDAP'],
            ['office365', 'Office365'],
            ['saml', 'SAML'],
          ),
        ),
        text('authData', 'Auth Data', 'ID of the user at the service', { ...byService }),
        text('email', 'Email', 'Email address of the user', { ...byEmail }),
        text('password', 'Password', 'Password of the user', { typeOptions: { password: true }, ...byEmail }),
        collection('additionalFields', 'Additional Fields', [
          text('first_name', 'First Name', 'First name'),
          text('last_name', 'Last Name', 'Last name'),
          text('locale', 'Locale', 'Language, such as `en`'),
          text('nickname', 'Nickname', 'Nickname'),
          list(
            'notificationUi',
            'Notification Settings',
            'notificationValues',
            [
              toggle('channel', 'Channel', 'Whether mentions of the whole channel notify the user', { default: true }),
              choice('desktop', 'Desktop', levels),
              toggle('desktop_sound', 'Desktop Sound', 'Whether notifications make a sound', { default: true }),
              toggle('email', 'Email', 'Whether the user gets emails'),
              toggle('first_name', 'First Name', 'Whether mentions of the first name notify the user'),
              text('mention_keys', 'Mention Keys', 'Words that notify the user, separated by commas'),
              choice('push', 'Push', levels),
            ],
            { typeOptions: {} },
          ),
        ]),
      ],
      run: create,
    },
    deactive: {
      displayName: 'Deactivate',
      description: 'Deactivates a user',
      properties: [userId],
      run: (item) => item.send({ method: 'DELETE', path: `/users/${part(item, 'userId')}` }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists users',
      properties: [
        ...listProperties,
        collection('additionalFields', 'Additional Fields', [
          text('inChannel', 'In Channel', 'ID of the channel that users are in'),
          text('inTeam', 'In Team', 'ID of the team that users are in'),
          text('notInChannel', 'Not in Channel', 'ID of a channel that users are not in'),
          text('notInTeam', 'Not in Team', 'ID of a team that users are not in'),
          choice(
            'sort',
            'Sort',
            choices(
              ['username', 'Username'],
              ['created_at', 'Created At', 'Of users in a team'],
              ['last_activity_at', 'Last Activity At', 'Of users in a team'],
            ),
          ),
        ]),
      ],
      run: (item) => listed(item, '/users', queryOf(item.fields('additionalFields'))),
    },
    getByEmail: {
      displayName: 'Get by Email',
      description: 'Gets a user by the email address',
      properties: [text('email', 'Email', 'Email address of the user', { required: true })],
      run: (item) => item.send({ path: `/users/email/${encodeURIComponent(item.required('email').trim())}` }),
    },
    getById: {
      displayName: 'Get by ID',
      description: 'Gets users by their IDs',
      properties: [
        names('userIds', 'User IDs', 'IDs of users, separated by commas', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          text('since', 'Since', 'Only users that changed since this time', { type: 'dateTime' }),
        ]),
      ],
      async run(item) {
        const since = await item.time('additionalFields.since');
        const query = since ? { since: since.getTime() } : {};
        return objectsOf(await item.send({ path: '/users/ids', query, json: requiredNames(item, 'userIds') }));
      },
    },
    invite: {
      displayName: 'Invite',
      description: 'Invites people to a team by email',
      properties: [teamId, names('emails', 'Emails', 'Addresses, separated by commas', { required: true })],
      run: (item) => item.send({ path: `/teams/${part(item, 'teamId')}/invite/email`, json: requiredNames(item, 'emails') }),
    },
  },
};

function requiredNames(item: ServiceItem, path: string): string[] {
  const chosenNames = namesParameter(item.context, path, item.index);
  if (chosenNames.length > 0) return chosenNames;
  throw item.error(`the parameter "${path}" is required`, 'Fill it in; its expression may have no value for this item');
}

/** API names for the parameters of a list. */
const filters: ReadonlyMap<string, string> = new Map([
  ['inChannel', 'in_channel'],
  ['inTeam', 'in_team'],
  ['notInChannel', 'not_in_channel'],
  ['notInTeam', 'not_in_team'],
]);

/** Ordering by user name is the default, for which the API has no value. */
function queryOf(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).filter(([name, value]) => name !== 'sort' || value !== 'username');
  return Object.fromEntries(entries.map(([name, value]) => [filters.get(name) ?? name, value] as const));
}

function create(item: ServiceItem) {
  const { notificationUi: _, ...fields } = item.fields('additionalFields');
  const [settings] = item.entries('additionalFields.notificationUi.notificationValues');
  const service = item.text('authService', 'email');
  const account =
    service === 'email'
      ? { email: item.required('email'), password: item.required('password') }
      : { auth_service: service, auth_data: item.required('authData') };
  const json = {
    username: item.required('username'),
    ...account,
    ...fields,
    ...(settings && { notify_props: notifications(settings) }),
  };
  return item.send({ path: '/users', json });
}

/** The API uses strings in place of booleans. */
const notifications = (settings: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, typeof value === 'boolean' ? asText(value) : value] as const),
  );

const emojiName = text('emojiName', 'Emoji Name', 'Name of the emoji, such as `tada`', { required: true });

/** https://developers.mattermost.com/api-documentation/#/operations/SaveReaction */
export const reaction: Resource = {
  displayName: 'Reaction',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a reaction to a message',
      properties: [userId, postId, emojiName],
      run: (item) =>
        item.send({
          path: '/reactions',
          json: { user_id: item.id('userId'), post_id: item.id('postId'), emoji_name: emojiOf(item) },
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes a reaction from a message',
      properties: [userId, postId, emojiName],
      run: (item) => {
        const path = `/users/${part(item, 'userId')}/posts/${part(item, 'postId')}/reactions/${encodeURIComponent(emojiOf(item))}`;
        return item.send({ method: 'DELETE', path });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the reactions to a message',
      properties: [postId, ...listProperties],
      run: (item) => item.list({ path: `/posts/${part(item, 'postId')}/reactions` }, onePage(), item.limit(100)),
    },
  },
};

/** Without the surrounding colons that the name has in text. */
const emojiOf = (item: ServiceItem): string => item.required('emojiName').trim().slice(0, 200).replace(/^:|:$/g, '');
