import {
  type ChatMessage,
  type ExecuteContext,
  type FilePart,
  type Item,
  type JsonObject,
  NodeOperationError,
  type NodeOutput,
  ownProperty,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  coercedText,
  listParameter,
  requiredText,
  stringOf,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { answerOnce } from '../../shared/answer-once.ts';
import { modelsOf } from '../../shared/ask-model.ts';
import { inBatches } from '../../shared/in-batches.ts';
import { imageOf, parserOf, promptOf } from '../../shared/prompt.ts';

/** One answer for each item. */
export async function executeChain(context: ExecuteContext): Promise<NodeOutput> {
  return [await inBatches(context, (_, itemIndex) => answerItem(context, itemIndex))];
}

async function answerItem(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const models = await modelsOf(context, itemIndex, booleanParameter(context, 'needsFallback', itemIndex, false));
  const parser = await parserOf(context, itemIndex);
  const messages = await messagesOf(context, itemIndex);
  const { output, text } = await answerOnce({ models, messages, parser, signal: context.signal });
  return { json: parser ? { output } : { text }, pairedItem: { item: itemIndex } };
}

async function messagesOf(context: ExecuteContext, itemIndex: number): Promise<ChatMessage[]> {
  const written = listParameter(context, 'messages.messageValues', itemIndex);
  const prompt = textOfPrompt(context, itemIndex);
  const messages = await Promise.all(written.map((message) => toMessage(context, itemIndex, message)));
  return [...messages, { role: 'user', content: prompt }];
}

function textOfPrompt(context: ExecuteContext, itemIndex: number): string {
  if (context.typeVersion < 1.4) return requiredText(context, 'prompt', itemIndex);
  const isGuarded = textParameter(context, 'promptType', itemIndex, 'auto') === 'guardrails';
  return promptOf(context, itemIndex, isGuarded ? 'guardrailsInput' : 'chatInput');
}

async function toMessage(context: ExecuteContext, itemIndex: number, message: JsonObject): Promise<ChatMessage> {
  const content = coercedText(message['message']);
  if (message['type'] === 'AIMessagePromptTemplate') return { role: 'assistant', content };
  if (message['type'] !== 'HumanMessagePromptTemplate') return { role: 'system', content };
  const file = await fileOf(context, itemIndex, message);
  return { role: 'user', content: file ? [file] : content };
}

async function fileOf(context: ExecuteContext, itemIndex: number, message: JsonObject): Promise<FilePart | undefined> {
  if (message['messageType'] === 'imageUrl')
    return { type: 'file', mediaType: 'image/*', data: coercedText(message['imageUrl']) };
  if (message['messageType'] !== 'imageBinary') return undefined;
  const name = stringOf(message['binaryImageDataKey'] ?? 'data');
  const file = ownProperty(context.items()[itemIndex]?.binary ?? {}, name);
  if (file) return imageOf(context, file);
  throw new NodeOperationError(`the item has no file "${name}"`, {
    itemIndex,
    description: 'Name a file of the item in "Image Data Field Name"',
  });
}
