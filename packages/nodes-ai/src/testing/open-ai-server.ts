import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listening } from '@sluice/http-client/testing';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';

/** One answer of the server. */
export type ServerAnswer =
  | { text: string }
  | { calls: readonly { name: string; input: JsonValue; id?: string }[]; text?: string }
  /** An error response, or with `body` any other. */
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Status 200 with text that is not JSON. */
  | { malformed: string }
  /** The connection ends after so many bytes of the answer. */
  | { droppedAfter: number };

interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: JsonObject;
}

export interface OpenAiServer {
  /** Ends in `/v1`. */
  url: string;
  received: ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * A loopback server with the Chat Completions API of OpenAI, written from its public reference. A
 * request that the API would reject fails with 400. Streams are cut into pieces of `chunkBytes`, at
 * any byte. The last answer is repeated.
 */
export async function openAiServer(answers: readonly ServerAnswer[], { chunkBytes = 7 } = {}): Promise<OpenAiServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const body = JSON.parse((await buffer(incoming)).toString('utf8')) as JsonObject;
    received.push({ path: incoming.url ?? '', headers: incoming.headers, body });
    const problem = problemOf(incoming, body);
    const answer = problem ?? answers[Math.min(received.length, answers.length) - 1] ?? { status: 500 };
    await respond(response, answer, body, chunkBytes);
  });
  const { port, close } = await listening(server);
  return { url: `http://127.0.0.1:${port}/v1`, received, close };
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

function problemOf({ method, url, headers }: IncomingMessage, body: JsonObject): ServerAnswer | undefined {
  const messages = body['messages'];
  if (method !== 'POST' || url !== '/v1/chat/completions') return { status: 404 };
  if (headers.authorization !== 'Bearer key-1') return refusal(401, 'Incorrect API key provided', 'invalid_api_key');
  if (typeof body['model'] !== 'string') return refusal(400, 'you must provide a model parameter');
  if (!Array.isArray(messages) || !messages.every((message) => roles.includes(String((message as JsonObject)['role']))))
    return refusal(400, 'messages are not valid');
  return unansweredCall(messages as JsonObject[]);
}

/** The API rejects a conversation in which a call of a tool has no result. */
function unansweredCall(messages: readonly JsonObject[]): ServerAnswer | undefined {
  const answered = new Set(messages.map((message) => message['tool_call_id']));
  const calls = messages.flatMap((message) => (message['tool_calls'] ?? []) as JsonObject[]);
  const open = calls.find(({ id }) => !answered.has(id as string));
  return open && refusal(400, `tool_call_id ${String(open['id'])} has no response message`);
}

function refusal(status: number, message: string, code = 'invalid_request'): ServerAnswer {
  return { status, body: JSON.stringify({ error: { message, type: 'invalid_request_error', code } }) };
}

async function respond(response: ServerResponse, answer: ServerAnswer, body: JsonObject, chunkBytes: number): Promise<void> {
  if ('status' in answer) {
    const error = { error: { message: `status ${answer.status}`, type: 'server_error', code: null } };
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? JSON.stringify(error));
    return;
  }
  if ('malformed' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer.malformed);
    return;
  }
  const drop = 'droppedAfter' in answer ? answer.droppedAfter : undefined;
  const full = 'droppedAfter' in answer ? { text: 'an answer that never arrives in full' } : answer;
  const isStream = body['stream'] === true;
  const bytes = Buffer.from(isStream ? streamOf(full) : JSON.stringify(completionOf(full)));
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    if (drop !== undefined && at >= drop) {
      response.destroy();
      return;
    }
    response.write(bytes.subarray(at, at + chunkBytes));
    await nextTurn();
  }
  response.end();
}

type Full = Extract<ServerAnswer, { text: string } | { calls: unknown }>;

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const head = { id: 'completion-1', created: 1, model: 'gpt-4o-mini' };

function callsOf(answer: Full) {
  if (!('calls' in answer)) return undefined;
  return answer.calls.map(({ name, input, id }, index) => ({
    index,
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
}

function completionOf(answer: Full): object {
  const calls = callsOf(answer);
  const message = { role: 'assistant', content: answer.text ?? null, ...(calls && { tool_calls: calls }) };
  const choice = { index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' };
  return { ...head, object: 'chat.completion', choices: [choice], usage };
}

/** The same as server-sent events: texts by character, arguments of calls in two halves. */
function streamOf(answer: Full): string {
  const event = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = callsOf(answer) ?? [];
  const events: object[] = [event({ role: 'assistant', content: '' })];
  for (const character of answer.text ?? '') events.push(event({ content: character }));
  for (const { index, id, type, function: called } of calls) {
    const half = Math.ceil(called.arguments.length / 2);
    events.push(event({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }));
    for (const part of [called.arguments.slice(0, half), called.arguments.slice(half)])
      events.push(event({ tool_calls: [{ index, function: { arguments: part } }] }));
  }
  events.push(event({}, calls.length > 0 ? 'tool_calls' : 'stop'), {
    ...head,
    object: 'chat.completion.chunk',
    choices: [],
    usage,
  });
  return `${events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`;
}
