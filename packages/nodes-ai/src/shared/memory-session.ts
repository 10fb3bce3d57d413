import {
  type ExecuteContext,
  isJsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeProperty,
  ownProperty,
} from '@sluice/node-sdk';
import { choice, choices, number, numberParameter, text, textParameter, where } from '@sluice/nodes-base/node-tools';

/** Parameters of all memories. */
export const memoryProperties = (): NodeProperty[] => [
  choice(
    'sessionIdType',
    'Session ID',
    choices(['fromInput', 'Connected Chat Trigger', 'The field `sessionId` of the item'], ['customKey', 'Define Below']),
  ),
  text('sessionKey', 'Key', 'Name of the conversation', where({ sessionIdType: ['customKey'] })),
  number('contextWindowLength', 'Context Window Length', 5, 'Past exchanges that the model sees'),
];

/**
 * The session of an item. Since version `ownSince`, a session key from the item belongs to the
 * node: memory nodes with other names do not share it. Before version `requiredSince`, there is a
 * default session if no key is set.
 */
export function sessionOf(context: ExecuteContext, itemIndex: number, ownSince: number, requiredSince = 1.1): string {
  const isCustom = textParameter(context, 'sessionIdType', itemIndex, 'fromInput') === 'customKey';
  const written = ownProperty(context.node.parameters, 'sessionKey') !== undefined;
  const isOld = ownProperty(context.node.parameters, 'sessionIdType') === undefined && written;
  const isWritten = isCustom || isOld;
  const key = isWritten ? textParameter(context, 'sessionKey', itemIndex) : fieldOf(context, itemIndex);
  if (key !== '') return isWritten || context.typeVersion < ownSince ? key : `${key}:${suffixOf(context.node.name)}`;
  if (context.typeVersion < requiredSince) return 'chat_history';
  throw new NodeOperationError('the memory has no session', {
    itemIndex,
    description: isCustom
      ? 'Fill in "Key"; its expression may have no value for this item'
      : 'The item has no "sessionId": set "Session ID" to "Define below", or connect a chat trigger',
  });
}

/**
 * Unique for each name, and without colons: the last colon in the key separates session and suffix.
 */
const suffixOf = (name: string): string => encodeURIComponent(name.toWellFormed());

function fieldOf(context: ExecuteContext, itemIndex: number): string {
  const json = context.items()[itemIndex]?.json ?? {};
  // A chat trigger that loads messages outputs an item for its request.
  const body = ownProperty(json, 'body');
  const value: JsonValue = ownProperty(json, 'sessionId') ?? ((isJsonObject(body) && ownProperty(body, 'sessionId')) || '');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Messages that the model receives: an exchange is a question and an answer. */
export function windowOf(context: ExecuteContext, itemIndex: number): number {
  return Math.max(0, Math.trunc(numberParameter(context, 'contextWindowLength', itemIndex, 5))) * 2;
}
