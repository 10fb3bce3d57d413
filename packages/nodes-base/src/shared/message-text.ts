import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from './parameters.ts';

/** What a node of a message broker sends for an item: its JSON, or the text of the parameter `message`. */
export function messageText(context: ExecuteContext, { json }: Item, itemIndex: number): string {
  const sendsItem = booleanParameter(context, 'sendInputData', itemIndex, true);
  return sendsItem ? JSON.stringify(json) : textParameter(context, 'message', itemIndex);
}
