import {
  type ChatMessage,
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type Memory,
  NodeOperationError,
  type NodeOutput,
  ownProperty,
  type ResumeEvent,
  type WebhookResponse,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  coercedText,
  dateOf,
  durationOf,
  filesOf,
  mapItemsAsync,
  requiredText,
} from '@sluice/nodes-base/node-tools';
import { chatTriggerOf } from '../../shared/chat-start.ts';
import { askedText, replyJson, waitsForReply } from './chat-reply.ts';

/** Sends the message of each item. Waits once, after the last one. */
export async function sendToChat(context: ExecuteContext): Promise<NodeOutput> {
  const waits = waitsForReply(context);
  const { resumeUrl } = context.execution;
  if (waits && resumeUrl === undefined)
    throw new NodeOperationError('this run cannot be resumed, so the node cannot wait for a reply', {
      description: 'Start the workflow by its chat, or only send the message',
    });
  const last = context.items().length - 1;
  const items = await mapItemsAsync(context, async (item, itemIndex) => {
    const message = askedText(context, itemIndex, requiredText(context, 'message', itemIndex));
    await remember(context, itemIndex, { role: 'assistant', content: message });
    await send(context, itemIndex, message, waits && itemIndex === last ? resumeUrl : undefined);
    return { ...item, pairedItem: { item: itemIndex } };
  });
  if (waits && last >= 0) await awaitReply(context, resumeUrl ?? '');
  return [items];
}

/**
 * A part of the stream; for a chat that does not read a stream, the response itself: only the first
 * message is used.
 */
async function send(context: ExecuteContext, itemIndex: number, content: string, resumeUrl?: string): Promise<void> {
  const { sendChunk, respond } = context;
  if (!sendChunk) {
    await respond?.(responseOf({ output: content, ...(resumeUrl !== undefined && { resumeUrl }) }));
    return;
  }
  await sendChunk({ type: 'begin', itemIndex });
  await sendChunk({ type: 'item', content, itemIndex });
  await sendChunk({ type: 'end', itemIndex, ...(resumeUrl !== undefined && { resumeUrl }) });
}

const responseOf = (json: JsonObject): WebhookResponse => ({ status: 200, headers: {}, body: { kind: 'json', json } });

/** Ends the response, so that the user can write, and suspends the run until the next message. */
async function awaitReply(context: ExecuteContext, resumeUrl: string): Promise<void> {
  await context.respond?.(responseOf({ output: '', resumeUrl }));
  const at = limitOf(context);
  const mode = context.sendChunk ? 'streaming' : 'responseNode';
  context.suspend({
    kind: 'call',
    call: {
      method: 'POST',
      files: { take: takesFiles(context) ? 'all' : 'none' },
      response: { status: 200, headers: {} },
      answer: { mode, status: 200, headers: {}, data: 'noData' },
    },
    ...(at !== undefined && { at }),
  });
}

function takesFiles(context: ExecuteContext): boolean {
  const options = chatTriggerOf(context)?.parameters['options'];
  return isJsonObject(options) && options['allowFileUploads'] === true;
}

const limit = 'options.limitWaitTime.values';

/** When to continue without a reply, in milliseconds since the epoch. */
function limitOf(context: ExecuteContext): number | undefined {
  if (!isJsonObject(context.parameter(limit, 0) ?? undefined)) return undefined;
  const type = choiceParameter(context, `${limit}.limitType`, 0, ['afterTimeInterval', 'atSpecifiedTime'], 'afterTimeInterval');
  if (type === 'atSpecifiedTime') return dateOf(context, `${limit}.maxDateAndTime`);
  const names = { amount: `${limit}.resumeAmount`, unit: `${limit}.resumeUnit` };
  return Date.now() + durationOf(context, names, { amount: 1, unit: 'hours' });
}

/** Outputs the reply, as the Chat Trigger outputs a message; after the limit, the input. */
export async function resumeChat(context: ExecuteContext, event: ResumeEvent): Promise<NodeOutput> {
  if (event.kind !== 'call') return [context.items().map((item, index) => ({ ...item, pairedItem: { item: index } }))];
  const { body, binary } = event.request;
  const json: JsonObject = isJsonObject(body) ? body : { chatInput: typeof body === 'string' ? body : '' };
  await remember(context, 0, { role: 'user', content: coercedText(ownProperty(json, 'chatInput')) });
  return [[{ json: replyJson(context, json), ...filesOf(binary), pairedItem: { item: 0 } }]];
}

async function remember(context: ExecuteContext, itemIndex: number, message: ChatMessage): Promise<void> {
  if (!booleanParameter(context, 'options.memoryConnection', itemIndex, false)) return;
  const memory: Memory | undefined = (await context.connected('ai_memory', itemIndex))[0]?.value;
  if (!memory)
    throw new NodeOperationError('no memory is connected', { itemIndex, description: 'Connect one, or turn the option off' });
  await memory.append([message], context.signal);
}
