import { randomUUID } from 'node:crypto';
import { APICallError } from '@ai-sdk/provider';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LanguageModel,
  type MessagePart,
  type ModelChunk,
  ModelError,
  type ModelRequest,
  type ModelResult,
  type ToolCallPart,
} from '@sluice/node-sdk';
import { coercedText } from '@sluice/nodes-base/node-tools';
import { attempted } from './attempted.ts';
import { endedEarly } from './status-error.ts';
import { toModelError } from './to-model-error.ts';
import { toOllamaMessages } from './to-ollama-messages.ts';

interface OllamaSettings {
  address: string;
  modelId: string;
  fetch: typeof globalThis.fetch;
  /** Members of the request: `options`, `format`, `keep_alive`. */
  body: JsonObject;
  maxRetries: number;
}

/** Maximum number of characters in a line of a stream. */
const maxLine = 16 * 1024 * 1024;

/**
 * An Ollama model, called through Ollama's own API: the OpenAI-compatible API lacks options such as
 * the context length. https://docs.ollama.com/api/chat
 */
export class OllamaModel implements LanguageModel {
  readonly provider = 'ollama';
  readonly modelId: string;
  readonly #settings: OllamaSettings;

  constructor(settings: OllamaSettings) {
    this.modelId = settings.modelId;
    this.#settings = settings;
  }

  async generate(request: ModelRequest, signal: AbortSignal): Promise<ModelResult> {
    const send = async () => {
      const response = await this.#send(request, false, signal);
      const answer = new Answer();
      answer.add(asEvent(await response.text()));
      return answer.result();
    };
    return attempted(this.#settings.maxRetries, signal, send);
  }

  /** Retried only until the answer starts. */
  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const response = await attempted(this.#settings.maxRetries, signal, () => this.#send(request, true, signal));
    try {
      yield* chunksOf(response);
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
    }
  }

  async #send(request: ModelRequest, stream: boolean, signal: AbortSignal): Promise<Response> {
    const { address, fetch: send, body } = this.#settings;
    const url = `${address}/api/chat`;
    const { tools = [], toolChoice, schema, messages } = request;
    const json = {
      ...body,
      model: this.modelId,
      messages: toOllamaMessages(messages),
      stream,
      ...(schema && { format: schema }),
      ...(tools.length > 0 &&
        toolChoice !== 'none' && {
          tools: tools.map(({ name, description, inputSchema: parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    };
    const headers = { 'content-type': 'application/json' };
    const response = await send(url, { method: 'POST', headers, body: JSON.stringify(json), signal });
    if (response.ok) return response;
    const responseBody = await response.text();
    throw new APICallError({
      message: response.statusText,
      url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    });
  }
}

async function* chunksOf(response: Response): AsyncGenerator<ModelChunk> {
  const answer = new Answer();
  for await (const line of linesOf(response)) {
    const event = asEvent(line);
    yield* answer.add(event);
    if (event['done'] === true) {
      yield { type: 'result', result: answer.result() };
      return;
    }
  }
  throw endedEarly();
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    // Only the new text is searched: a long line arrives in thousands of chunks.
    const [end = '', ...lines] = decoder.decode(bytes, { stream: true }).split('\n');
    lines.unshift(rest + end);
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw new Error(`a line has more than ${maxLine} characters`);
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (isJson(rest)) yield rest;
}

/** False for a line that is incomplete. */
function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** A JSON object of the stream. Throws the error that it reports. */
function asEvent(text: string): JsonObject {
  let event: JsonValue;
  try {
    event = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new Error('Invalid JSON response', { cause: error });
  }
  if (!isJsonObject(event)) throw new Error('Invalid JSON response');
  if (typeof event['error'] === 'string') throw new ModelError('unavailable', event['error']);
  return event;
}

/** Collects an answer from its events. */
class Answer {
  #text = '';
  #reasoning = '';
  readonly #calls: ToolCallPart[] = [];
  #last: JsonObject = {};

  add(event: JsonObject): ModelChunk[] {
    this.#last = event;
    const message = isJsonObject(event['message']) ? event['message'] : {};
    const { content, thinking, tool_calls: calls } = message;
    const chunks: ModelChunk[] = [];
    if (typeof thinking === 'string' && thinking !== '') chunks.push({ type: 'reasoning', text: thinking });
    if (typeof content === 'string' && content !== '') chunks.push({ type: 'text', text: content });
    this.#reasoning += typeof thinking === 'string' ? thinking : '';
    this.#text += typeof content === 'string' ? content : '';
    // A line can contain more calls than a function accepts as arguments.
    if (Array.isArray(calls)) for (const call of calls.flatMap(toCall)) this.#calls.push(call);
    return chunks;
  }

  result(): ModelResult {
    const { prompt_eval_count: input, eval_count: output, done_reason: reason } = this.#last;
    const calls = this.#calls;
    const content: MessagePart[] = [];
    if (this.#reasoning !== '') content.push({ type: 'reasoning', text: this.#reasoning });
    if (this.#text !== '') content.push({ type: 'text', text: this.#text });
    const usage = { inputTokens: Number(input ?? 0), outputTokens: Number(output ?? 0) };
    return {
      content: [...content, ...calls],
      text: this.#text,
      toolCalls: calls.map(({ id, name, input: parameters }) => ({ id, name, input: parameters })),
      finishReason: calls.length > 0 ? 'toolCalls' : reason === 'length' ? 'length' : 'stop',
      usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
    };
  }
}

/** Ollama does not assign IDs to calls. */
function toCall(call: JsonValue): ToolCallPart[] {
  const called = isJsonObject(call) ? call['function'] : undefined;
  if (!isJsonObject(called)) return [];
  const id = `call_${randomUUID()}`;
  return [{ type: 'toolCall', id, name: coercedText(called['name']), input: called['arguments'] ?? {} }];
}
