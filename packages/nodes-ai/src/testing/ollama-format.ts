import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import type { ModelAnswer, ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

/** Chat of Ollama, written from https://docs.ollama.com/api/chat */
export const ollamaFormat: WireFormat = {
  problem: problemOf,
  isStream: ({ body }) => body['stream'] !== false,
  completion: (answer) => ({
    ...head,
    message: { role: 'assistant', content: textOf(answer), ...callsOf(answer) },
    ...end(answer),
  }),
  stream: (answer) => eventsOf(answer).map(line).join(''),
  failingStream: (text) =>
    [...eventsOf({ text }).slice(0, text.length), { error: 'an error was encountered while running the model' }]
      .map(line)
      .join(''),
  error: (_, message) => ({ error: message }),
  get: (path) =>
    path === '/api/tags' ? { models: [{ name: 'b:latest', model: 'b:latest' }, { name: 'a:latest' }] } : undefined,
};

const refusal = (status: number, error: string): ServerAnswer => ({ status, body: JSON.stringify({ error }) });

function problemOf({ method, path, headers, body }: ReceivedRequest): ServerAnswer | undefined {
  if (method !== 'POST' || path !== '/api/chat') return refusal(404, '404 page not found');
  if (headers.authorization !== 'Bearer key-1') return refusal(401, 'unauthorized');
  const { model, messages } = body;
  if (typeof model !== 'string' || model === '') return refusal(400, 'model is required');
  const isMessage = (message: unknown) =>
    isJsonObject(message) && typeof message['content'] === 'string' && callsIn(message).every((call) => isJsonObject(call));
  return Array.isArray(messages) && messages.every(isMessage) ? undefined : refusal(400, 'invalid messages');
}

/** Arguments of the calls of a message. */
const callsIn = ({ tool_calls: calls = [] }: JsonObject) =>
  (calls as { function: { arguments: unknown } }[]).map((call) => call.function.arguments);

const head = { model: 'llama3.2', created_at: '2025-01-01T00:00:00Z' };
const textOf = (answer: ModelAnswer) => ('text' in answer ? (answer.text ?? '') : '');

function callsOf(answer: ModelAnswer): JsonObject {
  if (!('calls' in answer)) return {};
  return { tool_calls: answer.calls.map(({ name, input }) => ({ function: { name, arguments: input } })) };
}

const end = (answer: ModelAnswer) => ({
  done: true,
  done_reason: 'filtered' in answer ? 'load' : 'stop',
  prompt_eval_count: 11,
  eval_count: 7,
});

/** Text by character, each call in its own object. */
function eventsOf(answer: ModelAnswer): object[] {
  const message = (more: JsonObject) => ({ ...head, message: { role: 'assistant', content: '', ...more }, done: false });
  const calls = 'calls' in answer ? answer.calls : [];
  return [
    ...[...textOf(answer)].map((content) => message({ content })),
    ...calls.map((call) => message(callsOf({ calls: [call] }))),
    { ...message({}), ...end(answer) },
  ];
}

const line = (event: object) => `${JSON.stringify(event)}\n`;
