import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { limited, pathOf } from './trello-client.ts';
import { boardId, fields, id, listProperties, pos, shownFields } from './trello-properties.ts';

const preferences: readonly NodeProperty[] = [
  text('aging', 'Aging', 'Look of old cards: `pirate` or `regular`'),
  text('background', 'Background', 'Color or ID of the background'),
  choice(
    'comments',
    'Comments',
    choices(
      ['members', 'Members'],
      ['disabled', 'Disabled'],
      ['observers', 'Observers'],
      ['org', 'Organization'],
      ['public', 'Public'],
    ),
  ),
  choice('invitations', 'Invitations', choices(['members', 'Members'], ['admins', 'Admins'])),
  choice('permissionLevel', 'Permission Level', choices(['private', 'Private'], ['org', 'Organization'], ['public', 'Public'])),
  toggle('selfJoin', 'Self Join', 'Whether members may join by themselves'),
  choice(
    'voting',
    'Voting',
    choices(
      ['disabled', 'Disabled'],
      ['members', 'Members'],
      ['observers', 'Observers'],
      ['org', 'Organization'],
      ['public', 'Public'],
    ),
  ),
];
const preferenceNames = new Set(preferences.map(({ name }) => name));

export const board: Resource = {
  displayName: 'Board',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a board',
      properties: [
        text('name', 'Name', 'Name of the board', { required: true }),
        text('description', 'Description', 'Description of the board'),
        fields('additionalFields', [
          ...preferences,
          toggle('defaultLabels', 'Default Labels', 'Whether the board starts with labels', { default: true }),
          toggle('defaultLists', 'Default Lists', 'Whether the board starts with lists', { default: true }),
          text('idBoardSource', 'Board Source ID', 'ID of a board to copy'),
          text('idOrganization', 'Organization ID', 'ID of the workspace'),
          text('keepFromSource', 'Keep From Source', '`cards` copies cards, too'),
          text('powerUps', 'Power Ups', 'Power-Ups to switch on'),
        ]),
      ],
      run: (item) => {
        const own = { name: item.required('name'), desc: item.optional('description') };
        return item.send({ path: '/boards/', json: { ...own, ...prefixed(item, 'additionalFields', '_') } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a board',
      properties: [boardId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'boards', 'id') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a board',
      properties: [
        boardId,
        fields('additionalFields', [
          shownFields,
          toggle('pluginData', 'Plugin Data', 'Whether to return data of plugins, too'),
        ]),
      ],
      run: (item) => item.send({ path: pathOf(item, 'boards', 'id'), query: item.fields('additionalFields') }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a board',
      properties: [
        boardId,
        fields('updateFields', [
          toggle('closed', 'Closed', 'Whether the board is archived'),
          text('desc', 'Description', 'Description of the board'),
          text('description', 'Description', 'Description of the board, under the name of other operations'),
          text('idOrganization', 'Organization ID', 'ID of the workspace'),
          text('name', 'Name', 'Name of the board'),
          toggle('subscribed', 'Subscribed', 'Whether the account watches the board'),
        ]),
      ],
      run: (item) => {
        const { description, ...members } = item.fields('updateFields');
        const json = { ...members, ...(description !== undefined && { desc: description }) };
        return item.send({ method: 'PUT', path: pathOf(item, 'boards', 'id'), json });
      },
    },
  },
};

/** Preferences have names such as `prefs_voting`. */
function prefixed(item: ServiceItem, path: string, separator: string): JsonObject {
  const members = Object.entries(item.fields(path));
  return Object.fromEntries(
    members.map(([name, value]) => [preferenceNames.has(name) ? `prefs${separator}${name}` : name, value]),
  );
}

const memberId = id('idMember', 'Member ID', 'ID of the member');
const role = choice('type', 'Type', choices(['normal', 'Normal'], ['admin', 'Admin'], ['observer', 'Observer']));
const memberPath = (item: ServiceItem) => pathOf(item, 'boards', 'id', `/members/${encodeURIComponent(item.id('idMember'))}`);

export const boardMember: Resource = {
  displayName: 'Board Member',
  initial: 'add',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a member to a board',
      properties: [boardId, memberId, role],
      run: (item) => item.send({ method: 'PUT', path: memberPath(item), json: { type: item.text('type', 'normal') } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the members of a board',
      properties: [boardId, ...listProperties],
      run: (item) => limited(item, pathOf(item, 'boards', 'id', '/members')),
    },
    invite: {
      displayName: 'Invite',
      description: 'Invites a person to a board',
      properties: [
        boardId,
        text('email', 'Email', 'Email address of the person', { required: true }),
        fields('additionalFields', [role, text('fullName', 'Full Name', 'Name of the person')]),
      ],
      run: (item) => {
        const json = { email: item.required('email'), ...item.fields('additionalFields') };
        return item.send({ method: 'PUT', path: pathOf(item, 'boards', 'id', '/members'), json });
      },
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a member from a board',
      properties: [boardId, memberId],
      run: (item) => item.send({ method: 'DELETE', path: memberPath(item) }),
    },
  },
};

const listId = id('id', 'List ID', 'ID of the list');

export const list: Resource = {
  displayName: 'List',
  initial: 'create',
  operations: {
    archive: {
      displayName: 'Archive/Unarchive',
      description: 'Archives or restores a list',
      properties: [listId, toggle('archive', 'Archive', 'Whether the list is archived')],
      run: (item) =>
        item.send({ method: 'PUT', path: pathOf(item, 'lists', 'id', '/closed'), json: { value: item.toggle('archive') } }),
    },
    create: {
      displayName: 'Create',
      description: 'Creates a list',
      properties: [
        id('idBoard', 'Board ID', 'ID of the board'),
        text('name', 'Name', 'Name of the list', { required: true }),
        fields('additionalFields', [text('idListSource', 'List Source', 'ID of a list to copy'), pos]),
      ],
      run: (item) => {
        const own = { idBoard: item.id('idBoard'), name: item.required('name') };
        return item.send({ path: '/lists', json: { ...own, ...item.fields('additionalFields') } });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a list',
      properties: [listId, fields('additionalFields', [shownFields])],
      run: (item) => item.send({ path: pathOf(item, 'lists', 'id'), query: item.fields('additionalFields') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the lists of a board',
      properties: [boardId, ...listProperties, fields('additionalFields', [shownFields])],
      run: (item) => limited(item, pathOf(item, 'boards', 'id', '/lists'), item.fields('additionalFields')),
    },
    getCards: {
      displayName: 'Get Cards',
      description: 'Lists the cards of a list',
      properties: [listId, ...listProperties, fields('additionalFields', [shownFields])],
      run: (item) => limited(item, pathOf(item, 'lists', 'id', '/cards'), item.fields('additionalFields')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a list',
      properties: [
        listId,
        fields('updateFields', [
          toggle('closed', 'Closed', 'Whether the list is archived'),
          text('idBoard', 'Board ID', 'ID of the board to move it to'),
          text('name', 'Name', 'Name of the list'),
          pos,
          toggle('subscribed', 'Subscribed', 'Whether the account watches the list'),
        ]),
      ],
      run: (item) => item.send({ method: 'PUT', path: pathOf(item, 'lists', 'id'), json: item.fields('updateFields') }),
    },
  },
};
