import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import type { ModelAnswer, ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

/** The Messages API, written from https://docs.claude.com/en/api/messages */
export const anthropicFormat: WireFormat = {
  problem: problemOf,
  isStream: ({ body }) => body['stream'] === true,
  completion: (answer) => ({
    ...head,
    content: blocksOf(answer),
    stop_reason: reasonOf(answer),
    usage: { input_tokens: 11, output_tokens: 7 },
  }),
  stream: (answer) => eventsOf(answer).map(line).join(''),
  failingStream: (text) =>
    [
      ...eventsOf({ text }).slice(0, text.length + 3),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]
      .map(line)
      .join(''),
  error,
  get: (path) =>
    path.startsWith('/v1/models')
      ? {
          data: [
            { type: 'model', id: 'claude-b', display_name: 'Claude B', created_at: '2025-01-01T00:00:00Z' },
            { type: 'model', id: 'claude-a', display_name: 'Claude A', created_at: '2025-01-01T00:00:00Z' },
          ],
          has_more: false,
        }
      : undefined,
};

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function error(status: number, message: string): object {
  return { type: 'error', error: { type: types[status] ?? 'api_error', message }, request_id: 'req_1' };
}

const refusal = (status: number, message: string): ServerAnswer => ({ status, body: JSON.stringify(error(status, message)) });

function problemOf({ method, path, headers, body }: ReceivedRequest): ServerAnswer | undefined {
  if (method !== 'POST' || path !== '/v1/messages') return refusal(404, 'not found');
  if (headers['x-api-key'] !== 'key-1') return refusal(401, 'invalid x-api-key');
  if (headers['anthropic-version'] === undefined) return refusal(400, 'anthropic-version: header is required');
  if (typeof body['model'] !== 'string') return refusal(400, 'model: Field required');
  if (!(Number(body['max_tokens']) >= 1)) return refusal(400, 'max_tokens: Field required');
  const messages = body['messages'];
  if (!Array.isArray(messages) || messages.length === 0) return refusal(400, 'messages: at least one message is required');
  return problemOfMessages(messages as JsonObject[]);
}

function problemOfMessages(messages: readonly JsonObject[]): ServerAnswer | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'user' && role !== 'assistant')
      return refusal(400, `messages.${index}.role: Input should be 'user' or 'assistant'`);
    if (content === '' || (Array.isArray(content) && content.length === 0))
      return refusal(400, `messages.${index}: all messages must have non-empty content`);
    const blocks = blocksIn(content);
    if (blocks.some(({ type, input }) => type === 'tool_use' && !isJsonObject(input)))
      return refusal(400, `messages.${index}.content: tool_use.input: Input should be a valid dictionary`);
    const next = blocksIn(messages[index + 1]?.['content']);
    const open = blocks.find(({ type, id }) => type === 'tool_use' && !next.some(({ tool_use_id: result }) => result === id));
    if (open)
      return refusal(400, `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks: ${open['id']}`);
  }
  return undefined;
}

const blocksIn = (content: unknown): JsonObject[] => (Array.isArray(content) ? content.filter(isJsonObject) : []);

const head = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  stop_sequence: null,
};

function blocksOf(answer: ModelAnswer): JsonObject[] {
  const text: JsonObject[] = 'text' in answer && answer.text !== undefined ? [{ type: 'text', text: answer.text }] : [];
  const calls = 'calls' in answer ? answer.calls : [];
  return [
    ...text,
    ...calls.map(({ name, input, id }, index) => ({ type: 'tool_use', id: id ?? `call_${index}`, name, input })),
  ];
}

function reasonOf(answer: ModelAnswer): string {
  if ('filtered' in answer) return 'refusal';
  return 'calls' in answer ? 'tool_use' : 'end_turn';
}

const line = (event: object) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Text by character, call arguments in two halves. */
function eventsOf(answer: ModelAnswer): object[] {
  const usage = { input_tokens: 11, output_tokens: 1 };
  const blocks = blocksOf(answer).flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: block['type'] === 'text' ? { ...block, text: '' } : { ...block, input: {} },
    },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: reasonOf(answer), stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
}

function deltasOf({ text, input }: JsonObject): object[] {
  if (typeof text === 'string') return [...text].map((character) => ({ type: 'text_delta', text: character }));
  const json = typeof input === 'string' ? input : JSON.stringify(input);
  const half = Math.ceil(json.length / 2);
  return ['', json.slice(0, half), json.slice(half)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}
