import type { NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';

export const listProperties = listPropertiesOf();

export const id = (name: string, displayName: string, description: string): NodeProperty =>
  text(name, displayName, description, { required: true });

export const boardId = id('id', 'Board', 'The board: by ID or by URL');
export const cardId = id('cardId', 'Card', 'The card: by ID or by URL');

/** Optional request parameters, under their API names. */
export const fields = (name: 'additionalFields' | 'updateFields', members: readonly NodeProperty[]): NodeProperty =>
  collection(name, name === 'updateFields' ? 'Update Fields' : 'Additional Fields', members);

export const shownFields = text('fields', 'Fields', 'Fields to return, separated by commas; default: all');
export const pos = text('pos', 'Position', '`top`, `bottom`, or a number');
