import { type ExecuteContext, type Item, stringifyJson } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from './parameters.ts';

/** The message that a node sends to a broker for an item: its JSON, or the parameter `message`. */
export async function messageText(context: ExecuteContext, { json }: Item, itemIndex: number): Promise<string> {
  const sendsItem = booleanParameter(context, 'sendInputData', itemIndex, true);
  return sendsItem ? stringifyJson(json, { signal: context.signal }) : textParameter(context, 'message', itemIndex);
}
