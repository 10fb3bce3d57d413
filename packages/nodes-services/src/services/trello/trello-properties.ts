import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, collection, number, text, toggle, where } from '@sluice/nodes-base/node-tools';

export const listProperties: readonly NodeProperty[] = [
  toggle('returnAll', 'Return All', 'Whether to return all results instead of up to a limit'),
  atLeast(1, number('limit', 'Limit', 50, 'Most results', where({ returnAll: [false] }))),
];

export const id = (name: string, displayName: string, description: string): NodeProperty =>
  text(name, displayName, description, { required: true });

export const boardId = id('id', 'Board', 'The board: by ID or by URL');
export const cardId = id('cardId', 'Card', 'The card: by ID or by URL');

/** Optional parameters of a request, under the names of the API. */
export const fields = (name: 'additionalFields' | 'updateFields', members: readonly NodeProperty[]): NodeProperty =>
  collection(name, name === 'updateFields' ? 'Update Fields' : 'Additional Fields', members);

export const shownFields = text('fields', 'Fields', 'Fields to return, separated by commas; default: all');
export const pos = text('pos', 'Position', '`top`, `bottom`, or a number');
