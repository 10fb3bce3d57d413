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
import { booleanParameter, listParameter, stringOf } from '@sluice/nodes-base/node-tools';
import { argumentsIn } from '../../adapter/tool-arguments.ts';
import { toolsOf, untilAnswered } from '../../shared/called-tools.ts';
import { jsonInAnswer } from '../../shared/json-answer.ts';
import { modelIdOf } from '../../shared/model-list.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callOpenAi } from './call-open-ai.ts';

/** Maximum number of answers from one call; the API allows 128. */
const maxChoices = 128;

/** Answers of a chat model. https://platform.openai.com/docs/api-reference/chat/create */
export async function completeChat(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const isJson = booleanParameter(context, 'jsonOutput', itemIndex, false);
  const messages = messagesOf(context, itemIndex, isJson);
  const tools = await toolsOf(context, itemIndex);
  const model = modelIdOf(context, itemIndex, 'modelId', '');
  const request: JsonObject = {
    model,
    ...(isJson && { response_format: { type: 'json_object' } }),
    ...sampling(context, itemIndex, model),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
  };
  const response = await untilAnswered<JsonObject>(context, itemIndex, tools, async (previous, results) => {
    if (previous) {
      messages.push(messageOf(choicesOf(previous.answer)[0]));
      for (const [index, call] of previous.calls.entries())
        messages.push({ role: 'tool', tool_call_id: call.id, content: results[index] ?? '' });
    }
    const call = { model, json: { ...request, messages }, recorded: tools.length > 0 };
    const answer = await callOpenAi(context, itemIndex, '/chat/completions', call);
    return { answer, calls: callsIn(choicesOf(answer)[0]) };
  });
  const choices = choicesOf(response).map((choice) => (isJson ? withJson(choice) : choice));
  const isSimple = booleanParameter(context, 'simplify', itemIndex, true);
  const entries = isSimple ? choices : [{ ...response, choices }];
  return entries.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

/** Reasoning models have another name for the token limit. */
const reasoning = /^(?:o\d|gpt-5)/;

function sampling(context: ExecuteContext, itemIndex: number, model: string): JsonObject {
  return optionValues(context, itemIndex, {
    temperature: 'temperature',
    top_p: 'topP',
    frequency_penalty: 'frequency_penalty',
    presence_penalty: 'presence_penalty',
    n: 'n',
    [reasoning.test(model) ? 'max_completion_tokens' : 'max_tokens']: 'maxTokens',
  });
}

/** The API accepts JSON output only if a message mentions JSON. */
function messagesOf(context: ExecuteContext, itemIndex: number, isJson: boolean): JsonObject[] {
  const written = listParameter(context, 'messages.values', itemIndex).map(({ role, content }) => ({
    role: typeof role === 'string' && role !== '' ? role : 'user',
    content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
  }));
  if (written.length === 0)
    throw new NodeOperationError('there is no message', { itemIndex, description: 'Add one in "Messages"' });
  const mentionsJson = written.some(({ content }) => content.toLowerCase().includes('json'));
  return [...(isJson && !mentionsJson ? [{ role: 'system', content: 'Answer with JSON.' }] : []), ...written];
}

/** The choices of a response. Throws if it is empty, or if a filter stopped the first choice. */
export function choicesOf({ choices }: JsonObject): JsonObject[] {
  const list = Array.isArray(choices) ? choices.slice(0, maxChoices).filter((choice) => isJsonObject(choice)) : [];
  if (list.length === 0) throw new ModelError('invalidResponse', 'the provider response has no choices');
  if (list[0]?.['finish_reason'] === 'content_filter')
    throw new ModelError('refused', 'the model refused to answer: the content was filtered');
  return list;
}

export function messageOf(choice: JsonObject | undefined): JsonObject {
  const message = choice?.['message'];
  return isJsonObject(message) ? message : {};
}

function callsIn(choice: JsonObject | undefined): ToolCall[] {
  const calls = messageOf(choice)['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, maxChoices).flatMap((call: JsonValue) => {
    const called = isJsonObject(call) ? call['function'] : undefined;
    if (!isJsonObject(call) || !isJsonObject(called)) return [];
    return [{ id: stringOf(call['id']), name: stringOf(called['name']), input: argumentsIn(called['arguments']) }];
  });
}

/** The content as JSON, if it parses. */
function withJson(choice: JsonObject): JsonObject {
  const message = messageOf(choice);
  const content = typeof message['content'] === 'string' ? jsonInAnswer(message['content']) : undefined;
  return content === undefined ? choice : { ...choice, message: { ...message, content } };
}
