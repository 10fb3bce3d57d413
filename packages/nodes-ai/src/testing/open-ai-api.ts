import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { openAiFormat } from './open-ai-server.ts';
import type { ModelAnswer, ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

/**
 * Chat, responses, images, audio, files, and moderation, written from OpenAI's public reference.
 * Responses in the server's list are used for chat and responses; all others are fixed.
 */
export function openAiApi(): WireFormat {
  const chat = openAiFormat();
  return {
    ...chat,
    problem: (request) => (request.path === '/v1/chat/completions' ? chat.problem(request) : answerOf(request)),
    completion: (answer, request) => (request.path === '/v1/responses' ? responseOf(answer) : chat.completion(answer, request)),
    get: (path) => (path.startsWith('/v1/files') ? filesAt(path) : chat.get?.(path)),
  };
}

const json = (value: object): ServerAnswer => ({ status: 200, body: JSON.stringify(value) });
const refusal = (message: string, status = 400): ServerAnswer => ({
  status,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }),
});

/** `undefined`: the request is valid, and the server's list contains the response. */
function answerOf(request: ReceivedRequest): ServerAnswer | undefined {
  const { method, path, headers } = request;
  if (headers.authorization !== 'Bearer key-1') return refusal('Incorrect API key provided', 401);
  if (method === 'DELETE' && path.startsWith('/v1/files/')) return json({ id: path.slice(10), object: 'file', deleted: true });
  const endpoint = method === 'POST' ? endpoints[path] : undefined;
  return endpoint ? endpoint(request.body) : refusal('Unknown request URL', 404);
}

const endpoints: Readonly<Record<string, (body: JsonObject) => ServerAnswer | undefined>> = {
  '/v1/responses': problemOfInput,
  '/v1/moderations': ({ input }) =>
    json({ results: [{ flagged: input === 'bad', categories: { violence: input === 'bad' } }] }),
  '/v1/images/generations': (body) => (typeof body['prompt'] === 'string' ? images(body) : refusal('prompt is required')),
  '/v1/images/edits': (body) => {
    const isListed = isFile(body['image[]']);
    if (!isListed && !isFile(body['image'])) return refusal('image is required');
    if (isListed === String(body['model']).startsWith('dall-e')) return refusal('the model takes another number of images');
    return images(body);
  },
  '/v1/audio/speech': ({ input, voice }) =>
    input && voice
      ? { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: Uint8Array.of(0xff, 0xfb, 0) }
      : refusal('input'),
  '/v1/audio/transcriptions': heard,
  '/v1/audio/translations': (body) => ('language' in body ? refusal('Unknown parameter: language') : heard(body)),
  '/v1/files': ({ file, purpose }) => {
    if (!isFile(file) || typeof purpose !== 'string') return refusal('file and purpose are required');
    return json({ id: 'file-1', object: 'file', filename: file.fileName, purpose });
  },
};

interface SentFile {
  fileName: string;
  text: string;
}

function isFile(value: unknown): value is SentFile & JsonObject {
  return isJsonObject(value) && typeof value['fileName'] === 'string';
}

const formats = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'oga', 'ogg', 'wav', 'webm'];

function heard({ file, model }: JsonObject): ServerAnswer {
  if (!isFile(file) || model !== 'whisper-1') return refusal('file and model are required');
  const ending = file.fileName.split('.').at(-1) ?? '';
  return formats.includes(ending) ? json({ text: `heard: ${file.text}` }) : refusal('Invalid file format.');
}

/** Only DALL·E has `response_format`; GPT Image always returns Base64. */
function images({ model, response_format: format, n = 1 }: JsonObject): ServerAnswer {
  const isDallE = String(model).startsWith('dall-e');
  if (!isDallE && format !== undefined) return refusal("Unknown parameter: 'response_format'.");
  const asUrl = isDallE && format !== 'b64_json';
  const image = asUrl ? { url: 'https://example.com/1.png' } : { b64_json: Buffer.from('an image').toString('base64') };
  return json({ created: 1, data: Array.from({ length: Number(n) }, () => ({ ...image, revised_prompt: 'a cat, revised' })) });
}

function filesAt(path: string): object {
  const files = ['assistants', 'user_data'].map((purpose, index) => ({ id: `file-${index + 1}`, object: 'file', purpose }));
  const wanted = new URL(path, 'http://localhost').searchParams.get('purpose');
  return { object: 'list', data: files.filter(({ purpose }) => wanted === null || purpose === wanted) };
}

/** The API rejects input in which a function call has no output. */
function problemOfInput({ model, input }: JsonObject): ServerAnswer | undefined {
  if (typeof model !== 'string' || !Array.isArray(input)) return refusal('model and input are required');
  const parts = input.filter((part) => isJsonObject(part));
  const isKnown = (part: JsonObject) => typeof part['role'] === 'string' || typeof part['type'] === 'string';
  if (!parts.every(isKnown)) return refusal('Invalid input');
  const answered = new Set(parts.filter(({ type }) => type === 'function_call_output').map((part) => part['call_id']));
  const open = parts.find((part) => part['type'] === 'function_call' && !answered.has(part['call_id'] ?? null));
  return open && refusal(`No tool output found for function call ${String(open['call_id'])}.`);
}

const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };

function responseOf(answer: ModelAnswer): object {
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-4o-mini', usage };
  if ('filtered' in answer)
    return { ...head, status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] };
  const calls = 'calls' in answer ? answer.calls : [];
  const output: object[] = [{ id: 'rs_1', type: 'reasoning', summary: [] }];
  for (const [index, { name, input, id }] of calls.entries())
    output.push({
      id: `fc_${index}`,
      type: 'function_call',
      status: 'completed',
      call_id: id ?? `call_${index}`,
      name,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
    });
  if (answer.text !== undefined) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
    output.push({ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content });
  }
  return { ...head, status: 'completed', output };
}
