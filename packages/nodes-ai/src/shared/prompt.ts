import {
  type BinaryReference,
  type ChatMessage,
  type ExecuteContext,
  type FilePart,
  type JsonValue,
  NodeOperationError,
  type OutputParser,
  ownProperty,
} from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '@sluice/nodes-base/node-tools';

/** Largest image for a model. */
const maxImageBytes = 20 * 1024 * 1024;

/**
 * The prompt of an item: the parameter `text`, or with `promptType` `auto` the message of a chat
 * trigger, in `chatInput`.
 */
export function promptOf(context: ExecuteContext, itemIndex: number, field = 'chatInput'): string {
  const promptType = textParameter(context, 'promptType', itemIndex, 'auto');
  const written = ownProperty(context.node.parameters, 'text');
  const isAuto =
    promptType === 'auto' && (written === undefined || ownProperty(context.node.parameters, 'promptType') === 'auto');
  const text = isAuto ? fieldOf(context, itemIndex, field) : textParameter(context, 'text', itemIndex);
  if (text.trim() !== '') return text;
  throw new NodeOperationError('there is no prompt', {
    itemIndex,
    description: isAuto
      ? `The item has no "${field}": set "Source for Prompt" to "Define below", or connect a chat trigger`
      : 'Fill in the prompt; its expression may have no value for this item',
  });
}

function fieldOf(context: ExecuteContext, itemIndex: number, field: string): string {
  const value: JsonValue = ownProperty(context.items()[itemIndex]?.json ?? {}, field) ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The connected parser, unless the node disables it. */
export async function parserOf(context: ExecuteContext, itemIndex: number): Promise<OutputParser | undefined> {
  if (!booleanParameter(context, 'hasOutputParser', itemIndex, true)) return undefined;
  const [first] = await context.connected('ai_outputParser', itemIndex);
  return first?.value;
}

/** Images among an item's files. */
export async function imagesOf(context: ExecuteContext, itemIndex: number): Promise<FilePart[]> {
  const files = Object.values(context.items()[itemIndex]?.binary ?? {});
  return Promise.all(files.filter(({ mimeType }) => mimeType.startsWith('image/')).map((file) => imageOf(context, file)));
}

export async function imageOf(context: ExecuteContext, file: BinaryReference): Promise<FilePart> {
  const { mimeType, fileName } = file;
  const data = await context.binary.read(file, maxImageBytes);
  return { type: 'file', mediaType: mimeType, data, ...(fileName !== undefined && { fileName }) };
}

export function userMessage(text: string, files: readonly FilePart[] = []): ChatMessage {
  return { role: 'user', content: files.length === 0 ? text : [{ type: 'text', text }, ...files] };
}
