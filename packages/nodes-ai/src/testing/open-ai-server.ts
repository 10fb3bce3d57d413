import type { JsonObject } from '@sluice/node-sdk';
import {
  type ModelAnswer,
  type ProviderServer,
  providerServer,
  type ReceivedRequest,
  type ServerAnswer,
  type WireFormat,
} from './provider-server.ts';

export type { ServerAnswer } from './provider-server.ts';

export interface OpenAiServer extends Omit<ProviderServer, 'origin'> {
  /** Ends in `/v1`. */
  url: string;
}

/** A loopback server with the OpenAI Chat Completions API. */
export async function openAiServer(
  answers: readonly ServerAnswer[],
  options: { chunkBytes?: number } = {},
): Promise<OpenAiServer> {
  const { origin, ...server } = await providerServer(openAiFormat(), answers, options);
  return { url: `${origin}/v1`, ...server };
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

interface Access {
  /** Path of the API, with the query. */
  path?: string;
  /** Header with the key, and its value. */
  key?: readonly [name: string, value: string];
  /** Cost that responses report, as OpenRouter does. */
  cost?: number;
}

/** Chat Completions, written from OpenAI's public reference. */
export function openAiFormat({
  path = '/v1/chat/completions',
  key = ['authorization', 'Bearer key-1'],
  cost,
}: Access = {}): WireFormat {
  return {
    problem: (request) => problemOf(request, path, key),
    isStream: ({ body }) => body['stream'] === true,
    completion: (answer) => completion(answer, { ...usage, ...(cost !== undefined && { cost }) }),
    stream: (answer) =>
      `${eventsOf(answer, { ...usage, ...(cost !== undefined && { cost }) })
        .map(line)
        .join('')}data: [DONE]\n\n`,
    failingStream: (text) =>
      [
        ...eventsOf({ text }).slice(0, text.length + 1),
        { error: { message: 'The server had an error', type: 'server_error', param: null, code: 502 } },
      ]
        .map(line)
        .join(''),
    error: (status, message, code) => ({
      error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code: code ?? null },
    }),
    get: (path) =>
      path.endsWith('/models') ? { object: 'list', data: [{ id: 'b-model' }, { id: 'a-model', object: 'model' }] } : undefined,
  };
}

function problemOf({ method, path, headers, body }: ReceivedRequest, wanted: string, key: readonly [string, string]) {
  const messages = body['messages'];
  if (method !== 'POST' || path !== wanted) return { status: 404 };
  if (headers[key[0]] !== key[1] || (key[0] !== 'authorization' && headers.authorization !== undefined))
    return refusal(401, 'Incorrect API key provided', 'invalid_api_key');
  if (typeof body['model'] !== 'string') return refusal(400, 'you must provide a model parameter');
  if (!Array.isArray(messages) || !messages.every((message) => roles.includes(String((message as JsonObject)['role']))))
    return refusal(400, 'messages are not valid');
  return unansweredCall(messages as JsonObject[]);
}

/** The API rejects a conversation in which a tool call has no result. */
function unansweredCall(messages: readonly JsonObject[]): ServerAnswer | undefined {
  const answered = new Set(messages.map((message) => message['tool_call_id']));
  const calls = messages.flatMap((message) => (message['tool_calls'] ?? []) as JsonObject[]);
  const open = calls.find(({ id }) => !answered.has(id as string));
  return open && refusal(400, `tool_call_id ${String(open['id'])} has no response message`);
}

function refusal(status: number, message: string, code = 'invalid_request'): ServerAnswer {
  return { status, body: JSON.stringify({ error: { message, type: 'invalid_request_error', code } }) };
}

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const head = { id: 'completion-1', created: 1, model: 'gpt-4o-mini' };
const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const textIn = (answer: ModelAnswer) => ('text' in answer ? answer.text : undefined);

function callsOf(answer: ModelAnswer) {
  if (!('calls' in answer)) return undefined;
  return answer.calls.map(({ name, input, id }, index) => ({
    index,
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
}

function reasonOf(answer: ModelAnswer): string {
  if ('filtered' in answer) return 'content_filter';
  return 'calls' in answer ? 'tool_calls' : 'stop';
}

function completion(answer: ModelAnswer, counted: object): object {
  const calls = callsOf(answer);
  const message = { role: 'assistant', content: textIn(answer) ?? null, ...(calls && { tool_calls: calls }) };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: reasonOf(answer) }],
    usage: counted,
  };
}

/** Text by character, call arguments in two halves. */
function eventsOf(answer: ModelAnswer, counted: object = usage): object[] {
  const object = 'chat.completion.chunk';
  const event = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const events: object[] = [event({ role: 'assistant', content: '' })];
  for (const character of textIn(answer) ?? '') events.push(event({ content: character }));
  for (const { index, id, type, function: called } of callsOf(answer) ?? []) {
    const half = Math.ceil(called.arguments.length / 2);
    events.push(event({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }));
    for (const part of [called.arguments.slice(0, half), called.arguments.slice(half)])
      events.push(event({ tool_calls: [{ index, function: { arguments: part } }] }));
  }
  return [...events, event({}, reasonOf(answer)), { ...head, object, choices: [], usage: counted }];
}
