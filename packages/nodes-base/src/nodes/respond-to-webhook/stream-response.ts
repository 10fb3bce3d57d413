import { type ExecuteContext, ownProperty, type WebhookResponse } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';

/**
 * Streams the response, one chunk per item when it has all items, if the client accepts that.
 * Resolves to false if the response must be sent as a whole.
 */
export async function streamResponse(context: ExecuteContext, { body }: WebhookResponse): Promise<boolean> {
  const { sendChunk } = context;
  const isEnabled = context.typeVersion >= 1.5 && booleanParameter(context, 'options.enableStreaming', 0, true);
  if (!sendChunk || !isEnabled || (body.kind !== 'json' && body.kind !== 'text')) return false;
  const content = body.kind === 'json' ? body.json : body.text;
  const parts = isList(context) && Array.isArray(content) ? content : [content];
  await sendChunk({ type: 'begin', itemIndex: 0 });
  for (const [itemIndex, part] of parts.entries()) await sendChunk({ type: 'item', content: part, itemIndex });
  await sendChunk({ type: 'end', itemIndex: 0 });
  return true;
}

/** Whether the response is the list of items rather than one value. */
function isList(context: ExecuteContext): boolean {
  const isAll = ownProperty(context.node.parameters, 'respondWith') === 'allIncomingItems';
  return isAll && textParameter(context, 'options.responseKey', 0).trim() === '';
}
