import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ModelError,
  NodeOperationError,
  type ToolCall,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  namesParameter,
  readBinary,
  stringOf,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { toolsOf, untilAnswered } from '../../shared/called-tools.ts';
import { modelIdOf } from '../../shared/model-list.ts';
import { ollamaAddress } from '../../shared/ollama.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callForObject } from '../../shared/provider-call.ts';

export const ollamaCredential = 'ollamaApi';

/** Numeric model options. https://docs.ollama.com/modelfile */
const numbers = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'num_predict',
  'num_ctx',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'repeat_penalty',
  'repeat_last_n',
] as const;
export const ollamaOptionNames: Readonly<Record<string, string>> = Object.fromEntries(numbers.map((name) => [name, name]));

/** Maximum number of calls in one answer, and of bytes in an image. */
const maxCalls = 128;
const maxImageBytes = 20 * 1024 * 1024;

/** The answer to messages, or to a question about images. https://docs.ollama.com/api/chat */
export async function askOllama(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const isText = choiceParameter(context, 'resource', itemIndex, ['text', 'image'], 'text') === 'text';
  const messages = isText ? messagesOf(context, itemIndex) : [await imageQuestion(context, itemIndex)];
  const tools = isText ? await toolsOf(context, itemIndex) : [];
  const model = modelIdOf(context, itemIndex, 'modelId', '');
  const url = `${ollamaAddress(await context.credentials(ollamaCredential, itemIndex))}/api/chat`;
  const system = textParameter(context, 'options.system', itemIndex);
  const modelOptions = optionValues(context, itemIndex, ollamaOptionNames);
  const request: JsonObject = {
    model,
    stream: false,
    ...optionValues(context, itemIndex, { format: 'format', keep_alive: 'keep_alive' }),
    ...(Object.keys(modelOptions).length > 0 && { options: modelOptions }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  };
  const start: JsonObject[] = system === '' ? [] : [{ role: 'system', content: system }];
  const answer = await untilAnswered<JsonObject>(context, itemIndex, tools, async (previous, results) => {
    if (previous) {
      messages.push(messageOf(previous.answer));
      for (const [index, { name }] of previous.calls.entries())
        messages.push({ role: 'tool', tool_name: name, content: results[index] ?? '' });
    }
    const json = { ...request, messages: [...start, ...messages] };
    const recorded = tools.length > 0;
    const next = await callForObject(context, itemIndex, { credential: ollamaCredential, model, url, json, recorded });
    return { answer: next, calls: callsIn(next) };
  });
  const isSimple = booleanParameter(context, 'simplify', itemIndex, true);
  const json = isSimple ? { content: messageOf(answer)['content'] ?? '' } : answer;
  return { json, pairedItem: { item: itemIndex } };
}

function messagesOf(context: ExecuteContext, itemIndex: number): JsonObject[] {
  const written = listParameter(context, 'messages.values', itemIndex).map(
    ({ role, content }): JsonObject => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    }),
  );
  if (written.length > 0) return written;
  throw new NodeOperationError('there is no message', { itemIndex, description: 'Add one in "Messages"' });
}

async function imageQuestion(context: ExecuteContext, itemIndex: number): Promise<JsonObject> {
  const content = textParameter(context, 'text', itemIndex, "What's in this image?");
  const names = namesParameter(context, 'binaryPropertyName', itemIndex);
  const images: string[] = [];
  for (const name of names.length === 0 ? ['data'] : names)
    images.push((await readBinary(context, itemIndex, name, maxImageBytes)).toString('base64'));
  return { role: 'user', content, images };
}

function messageOf({ message }: JsonObject): JsonObject {
  if (isJsonObject(message)) return message;
  throw new ModelError('invalidResponse', 'the provider response has no message');
}

function callsIn(answer: JsonObject): ToolCall[] {
  const { tool_calls: calls } = messageOf(answer);
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, maxCalls).flatMap((call: JsonValue, index) => {
    const called = isJsonObject(call) ? call['function'] : undefined;
    return isJsonObject(called)
      ? [{ id: stringOf(index), name: stringOf(called['name']), input: called['arguments'] ?? {} }]
      : [];
  });
}
