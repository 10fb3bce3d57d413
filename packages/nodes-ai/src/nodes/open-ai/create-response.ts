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
  listParameter,
  namesParameter,
  objectParameter,
  stringOf,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { argumentsIn } from '../../adapter/tool-arguments.ts';
import { toolsOf, untilAnswered } from '../../shared/called-tools.ts';
import { jsonInAnswer } from '../../shared/json-answer.ts';
import { modelIdOf } from '../../shared/model-list.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callOpenAi } from './call-open-ai.ts';
import { imageUrlOf } from './image-urls.ts';

/** Maximum number of parts that are read from an answer. */
const maxParts = 10_000;

/**
 * An answer of the Responses API. https://platform.openai.com/docs/api-reference/responses/create
 */
export async function createResponse(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const input = await inputOf(context, itemIndex);
  const tools = await toolsOf(context, itemIndex);
  const functions = tools.map(
    ({ name, description, inputSchema }): JsonObject => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    }),
  );
  const offered = [...functions, ...builtInTools(context, itemIndex)];
  const format = formatOf(context, itemIndex);
  const model = modelIdOf(context, itemIndex, 'modelId', '');
  const request: JsonObject = {
    model,
    ...optionsOf(context, itemIndex),
    ...(format && { text: format }),
    ...(offered.length > 0 && { tools: offered }),
  };
  const response = await untilAnswered<JsonObject>(context, itemIndex, tools, async (previous, results) => {
    if (previous) {
      input.push(...outputOf(previous.answer));
      for (const [index, { id }] of previous.calls.entries())
        input.push({ type: 'function_call_output', call_id: id, output: results[index] ?? '' });
    }
    const call = { model, json: { ...request, input }, recorded: tools.length > 0 };
    return asked(await callOpenAi(context, itemIndex, '/responses', call));
  });
  const isJson = isJsonObject(format?.['format']) && format['format']['type'] !== 'text';
  const output = isJson ? outputOf(response).map(withJson) : outputOf(response);
  const isSimple = booleanParameter(context, 'simplify', itemIndex, true);
  const json = isSimple ? { output: output.filter(({ type }) => type === 'message') } : { ...response, output };
  return { json, pairedItem: { item: itemIndex } };
}

/** The parts of an answer. */
export function outputOf({ output }: JsonObject): JsonObject[] {
  return Array.isArray(output) ? output.slice(0, maxParts).filter((part) => isJsonObject(part)) : [];
}

/** An answer, and its calls. Throws if the model failed or was stopped by a filter. */
export function asked(answer: JsonObject): { answer: JsonObject; calls: ToolCall[] } {
  const { status, incomplete_details: details, error } = answer;
  if (status === 'failed')
    throw new ModelError(
      'unavailable',
      `the model failed: ${stringOf((isJsonObject(error) && error['message']) || 'no reason given')}`,
    );
  if (status === 'incomplete' && isJsonObject(details) && details['reason'] === 'content_filter')
    throw new ModelError('refused', 'the model refused to answer: the content was filtered');
  if (!Array.isArray(answer['output'])) throw new ModelError('invalidResponse', 'the provider response has no output');
  const calls = outputOf(answer).filter(({ type }) => type === 'function_call');
  return {
    answer,
    calls: calls.map((call) => ({
      id: stringOf(call['call_id']),
      name: stringOf(call['name']),
      input: argumentsIn(call['arguments']),
    })),
  };
}

async function inputOf(context: ExecuteContext, itemIndex: number): Promise<JsonObject[]> {
  const written = listParameter(context, 'responses.values', itemIndex);
  const values = written.length > 0 ? written : listParameter(context, 'messages.values', itemIndex);
  if (values.length === 0)
    throw new NodeOperationError('there is no message', { itemIndex, description: 'Add one in "Messages"' });
  return Promise.all(values.map((value) => toInput(context, itemIndex, value)));
}

async function toInput(context: ExecuteContext, itemIndex: number, value: JsonObject): Promise<JsonObject> {
  const { type, content } = value;
  const role = memberText(value, 'role') || 'user';
  if (type === 'image') return { role, content: [await imagePart(context, itemIndex, value)] };
  if (type === 'file') return { role, content: [await filePart(context, itemIndex, value)] };
  return { role, content: typeof content === 'string' ? content : JSON.stringify(content ?? '') };
}

function memberText(value: JsonObject, name: string): string {
  const member = value[name];
  return member === undefined || member === null ? '' : stringOf(member);
}

async function imagePart(context: ExecuteContext, itemIndex: number, value: JsonObject): Promise<JsonObject> {
  const part = { type: 'input_image', detail: memberText(value, 'imageDetail') || 'auto' };
  const source = memberText(value, 'imageType');
  if (source === 'fileId') return { ...part, file_id: memberText(value, 'fileId') };
  if (source !== 'base64') return { ...part, image_url: memberText(value, 'imageUrl') };
  return { ...part, image_url: await imageUrlOf(context, itemIndex, memberText(value, 'binaryPropertyName') || 'data') };
}

async function filePart(context: ExecuteContext, itemIndex: number, value: JsonObject): Promise<JsonObject> {
  const type = 'input_file';
  const source = memberText(value, 'fileType');
  if (source === 'fileId') return { type, file_id: memberText(value, 'fileId') };
  if (source !== 'base64') return { type, file_url: memberText(value, 'fileUrl') };
  const data = await imageUrlOf(context, itemIndex, memberText(value, 'binaryPropertyName') || 'data');
  return { type, file_data: data, filename: memberText(value, 'fileName') || 'file' };
}

function optionsOf(context: ExecuteContext, itemIndex: number): JsonObject {
  const values = optionValues(context, itemIndex, {
    temperature: 'temperature',
    top_p: 'topP',
    max_output_tokens: 'maxTokens',
    instructions: 'instructions',
    previous_response_id: 'previousResponseId',
    conversation: 'conversationId',
    store: 'store',
    parallel_tool_calls: 'parallelToolCalls',
    truncation: 'truncation',
    service_tier: 'serviceTier',
    safety_identifier: 'safetyIdentifier',
    prompt_cache_key: 'promptCacheKey',
    top_logprobs: 'topLogprobs',
  });
  const reasoning = optionValues(context, itemIndex, {
    effort: 'reasoning.reasoningOptions.effort',
    summary: 'reasoning.reasoningOptions.summary',
  });
  if (reasoning['summary'] === 'none') delete reasoning['summary'];
  const isSet = Object.keys(reasoning).length > 0;
  return { ...values, ...(isSet && { reasoning }) };
}

const textOptions = 'options.textFormat.textOptions';

/** The request member `text`; `undefined` if the node does not request a format. */
function formatOf(context: ExecuteContext, itemIndex: number): JsonObject | undefined {
  const read = (name: string, fallback = '') => textParameter(context, `${textOptions}.${name}`, itemIndex, fallback);
  const verbosity = read('verbosity') && { verbosity: read('verbosity') };
  const type = read('type');
  if (type === '') return verbosity || undefined;
  if (type !== 'json_schema') return { format: { type }, ...verbosity };
  const schema = objectParameter(context, `${textOptions}.schema`, itemIndex);
  const description = read('description') && { description: read('description') };
  const strict = booleanParameter(context, `${textOptions}.strict`, itemIndex, false);
  return { format: { type, name: read('name', 'answer') || 'answer', schema, strict, ...description }, ...verbosity };
}

/** Tools that OpenAI runs. */
function builtInTools(context: ExecuteContext, itemIndex: number): JsonObject[] {
  const value = context.parameter<JsonValue>('builtInTools', itemIndex) ?? {};
  if (!isJsonObject(value)) return [];
  const size = textParameter(context, 'builtInTools.webSearch.searchContextSize', itemIndex, 'medium');
  const stores = namesParameter(context, 'builtInTools.fileSearch.vectorStoreIds', itemIndex);
  return [
    ...(value['webSearch'] ? [{ type: 'web_search', search_context_size: size }] : []),
    ...(value['codeInterpreter'] ? [{ type: 'code_interpreter', container: { type: 'auto' } }] : []),
    ...(value['fileSearch'] ? [{ type: 'file_search', vector_store_ids: stores }] : []),
  ];
}

/** The message text as JSON, where it parses. */
function withJson(part: JsonObject): JsonObject {
  if (part['type'] !== 'message' || !Array.isArray(part['content'])) return part;
  const content = part['content'].slice(0, maxParts).map((one: JsonValue): JsonValue => {
    if (!isJsonObject(one) || typeof one['text'] !== 'string') return one;
    return { ...one, text: jsonInAnswer(one['text']) ?? one['text'] };
  });
  return { ...part, content };
}
