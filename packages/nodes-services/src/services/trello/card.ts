import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { limited, pathOf } from './trello-client.ts';
import { cardId, fields, id, listProperties, pos, shownFields } from './trello-properties.ts';

const ownId = id('id', 'Card', 'The card: by ID or by URL');
const written: readonly NodeProperty[] = [
  text('due', 'Due Date', 'Time by which the card is due'),
  toggle('dueComplete', 'Due Complete', 'Whether the card is done'),
  names('idLabels', 'Labels', 'IDs of labels'),
  names('idMembers', 'Members', 'IDs of members'),
  pos,
];

export const card: Resource = {
  displayName: 'Card',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a card',
      properties: [
        id('listId', 'List ID', 'ID of the list'),
        text('name', 'Name', 'Name of the card', { required: true }),
        text('description', 'Description', 'Text of the card'),
        fields('additionalFields', [
          ...written,
          text('idCardSource', 'Source Card ID', 'ID of a card to copy'),
          text('keepFromSource', 'Keep From Source', 'What is copied, such as `all` or `comments,due`'),
          text('urlSource', 'Source URL', 'Address of a page to attach'),
        ]),
      ],
      run: (item) => {
        const own = { idList: item.id('listId'), name: item.required('name'), desc: item.optional('description') };
        return item.send({ path: '/cards', json: { ...own, ...membersOf(item, 'additionalFields') } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a card',
      properties: [ownId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'cards', 'id') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a card',
      properties: [
        ownId,
        fields('additionalFields', [
          shownFields,
          toggle('board', 'Board', 'Whether to return the board, too'),
          text('board_fields', 'Board Fields', 'Fields of the board'),
          text('customFieldItems', 'Custom Field Items', '`true` returns values of custom fields, too'),
          toggle('members', 'Members', 'Whether to return the members, too'),
          text('member_fields', 'Member Fields', 'Fields of the members'),
          toggle('pluginData', 'Plugin Data', 'Whether to return data of plugins, too'),
          toggle('stickers', 'Stickers', 'Whether to return stickers, too'),
          text('sticker_fields', 'Sticker Fields', 'Fields of the stickers'),
        ]),
      ],
      run: (item) => item.send({ path: pathOf(item, 'cards', 'id'), query: item.fields('additionalFields') }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a card',
      properties: [
        ownId,
        fields('updateFields', [
          ...written,
          text('idAttachmentCover', 'Attachment Cover', 'ID of the attachment that is the cover'),
          text('idBoard', 'Board ID', 'ID of the board to move it to'),
          toggle('closed', 'Closed', 'Whether the card is archived'),
          text('description', 'Description', 'Text of the card'),
          text('idList', 'List ID', 'ID of the list to move it to'),
          text('name', 'Name', 'Name of the card'),
          toggle('subscribed', 'Subscribed', 'Whether the account watches the card'),
        ]),
      ],
      run: (item) => item.send({ method: 'PUT', path: pathOf(item, 'cards', 'id'), json: membersOf(item, 'updateFields') }),
    },
  },
};

function membersOf(item: ServiceItem, path: string): JsonObject {
  const { description, ...members } = item.fields(path);
  return { ...members, ...(description !== undefined && { desc: description }) };
}

const commentText = text('text', 'Text', 'Text of the comment', { required: true });
const commentPath = (item: ServiceItem) =>
  pathOf(item, 'cards', 'cardId', `/actions/${encodeURIComponent(item.id('commentId'))}/comments`);
const commentId = id('commentId', 'Comment ID', 'ID of the comment');

export const cardComment: Resource = {
  displayName: 'Card Comment',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a comment to a card',
      properties: [cardId, commentText],
      run: (item) =>
        item.send({ path: pathOf(item, 'cards', 'cardId', '/actions/comments'), json: { text: item.required('text') } }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a comment',
      properties: [cardId, commentId],
      run: (item) => item.send({ method: 'DELETE', path: commentPath(item) }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a comment',
      properties: [cardId, commentId, commentText],
      run: (item) => item.send({ method: 'PUT', path: commentPath(item), json: { text: item.required('text') } }),
    },
  },
};

const attachmentPath = (item: ServiceItem) =>
  pathOf(item, 'cards', 'cardId', `/attachments/${encodeURIComponent(item.id('id'))}`);
const attachmentId = id('id', 'Attachment ID', 'ID of the attachment');

export const attachment: Resource = {
  displayName: 'Attachment',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Attaches the address of a file to a card',
      properties: [
        cardId,
        id('url', 'Source URL', 'Address of the file'),
        fields('additionalFields', [
          text('mimeType', 'MIME Type', 'Type of the file'),
          text('name', 'Name', 'Name of the file'),
        ]),
      ],
      run: (item) => {
        const json = { url: item.required('url'), ...item.fields('additionalFields') };
        return item.send({ path: pathOf(item, 'cards', 'cardId', '/attachments'), json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes an attachment',
      properties: [cardId, attachmentId],
      run: (item) => item.send({ method: 'DELETE', path: attachmentPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an attachment',
      properties: [cardId, attachmentId, fields('additionalFields', [shownFields])],
      run: (item) => item.send({ path: attachmentPath(item), query: item.fields('additionalFields') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the attachments of a card',
      properties: [cardId, ...listProperties, fields('additionalFields', [shownFields])],
      run: (item) => limited(item, pathOf(item, 'cards', 'cardId', '/attachments'), item.fields('additionalFields')),
    },
  },
};
