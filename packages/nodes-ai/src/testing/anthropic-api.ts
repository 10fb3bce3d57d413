import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { anthropicFormat } from './anthropic-format.ts';
import type { ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

const json = (value: object): ServerAnswer => ({ status: 200, body: JSON.stringify(value) });
const refusal = (message: string, status = 400): ServerAnswer => ({
  status,
  body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
});

/**
 * Messages and files, written from https://docs.claude.com/en/api. Responses in the server's list
 * are used for messages.
 */
export const anthropicApi: WireFormat = {
  ...anthropicFormat,
  problem: (request) => (request.path.startsWith('/v1/files') ? filesAnswer(request) : problemOf(request)),
  get: (path) => (path.startsWith('/v1/files') ? filesAt(path) : anthropicFormat.get?.(path)),
};

/** Blocks and tools that the API accepts, with the features that they need. */
function problemOf(request: ReceivedRequest): ServerAnswer | undefined {
  const { body, headers } = request;
  const tools = Array.isArray(body['tools']) ? body['tools'].filter((tool) => isJsonObject(tool)) : [];
  const runsCode = tools.some(({ type }) => String(type).startsWith('code_execution_'));
  if (runsCode && !String(headers['anthropic-beta']).includes('code-execution-2025-05-22'))
    return refusal('tools: code_execution needs a beta header');
  for (const { content } of body['messages'] as JsonObject[])
    for (const block of Array.isArray(content) ? content.filter((one) => isJsonObject(one)) : [])
      if (!isKnown(block)) return refusal(`messages: unknown block ${JSON.stringify(block)}`);
  return anthropicFormat.problem(request);
}

function isKnown({ type, source, text, id, tool_use_id: result }: JsonObject): boolean {
  if (type === 'text') return typeof text === 'string' && text !== '';
  if (type === 'tool_use') return typeof id === 'string';
  if (type === 'tool_result') return typeof result === 'string';
  if ((type !== 'image' && type !== 'document') || !isJsonObject(source)) return false;
  if (source['type'] === 'url') return typeof source['url'] === 'string';
  const isPlain = type === 'document' && source['type'] === 'text' && source['media_type'] === 'text/plain';
  return (isPlain || source['type'] === 'base64') && typeof source['data'] === 'string';
}

const file = (id: string) => ({ id, type: 'file', filename: `${id}.txt` });

function filesAnswer({ method, path, headers, body }: ReceivedRequest): ServerAnswer {
  if (headers['x-api-key'] !== 'key-1') return refusal('invalid x-api-key', 401);
  if (headers['anthropic-beta'] !== 'files-api-2025-04-14') return refusal('files: needs a beta header', 404);
  if (method === 'DELETE') return json({ id: path.split('/').at(-1), type: 'file_deleted' });
  const sent = body['file'];
  return isJsonObject(sent) ? json({ ...file('file_1'), filename: sent['fileName'] }) : refusal('file: Field required');
}

/** Three files, in pages of the wanted size. */
function filesAt(path: string): object | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  if (pathname !== '/v1/files') return file(pathname.split('/').at(-1) ?? '');
  const ids = ['file_1', 'file_2', 'file_3'];
  const from = ids.indexOf(searchParams.get('after_id') ?? '') + 1;
  const page = ids.slice(from, from + Math.min(2, Number(searchParams.get('limit'))));
  return { data: page.map(file), has_more: from + page.length < ids.length, last_id: page.at(-1) };
}
