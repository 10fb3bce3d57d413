import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listening } from '@sluice/http-client/testing';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';

/** A model's answer. */
export type ModelAnswer =
  | { text: string }
  | { calls: readonly { name: string; input: JsonValue; id?: string }[]; text?: string }
  /** Stopped by a content filter. */
  | { filtered: true };

/** One response of the server. */
export type ServerAnswer =
  | ModelAnswer
  /** An error response, or any other response if `body` is set. */
  | { status: number; headers?: Record<string, string>; body?: string | Uint8Array }
  /** Status 200 with text that is not JSON. */
  | { malformed: string }
  /** Status 200, and then no data. */
  | { silent: true }
  /** The connection closes after this number of bytes. */
  | { droppedAfter: number }
  /** The response ends after this number of bytes, as if it were complete. */
  | { endsAfter: number }
  /** A stream that ends with a provider error after this text. */
  | { failsAfter: string };

/** A request as the server received it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: JsonObject;
}

/** How a provider's API encodes its responses, from its public reference. */
export interface WireFormat {
  /** The error response to a request that the API would reject. */
  problem(request: ReceivedRequest): ServerAnswer | undefined;
  isStream(request: ReceivedRequest): boolean;
  completion(answer: ModelAnswer, request: ReceivedRequest): object;
  /** The same as server-sent events, or in another form of a stream. */
  stream(answer: ModelAnswer): string | Uint8Array;
  /** Events of a stream that fails after the text. */
  failingStream(text: string): string | Uint8Array;
  /** Body of an error response. */
  error(status: number, message: string, code?: string): object;
  /** Response to a GET, such as a list of models. */
  get?(path: string): object | undefined;
}

export interface ProviderServer {
  origin: string;
  received: ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * A loopback server with a provider's API. A request that the API would reject fails. Streams are
 * split into chunks of `chunkBytes`, at any byte. The last response is repeated.
 */
export async function providerServer(
  format: WireFormat,
  answers: readonly ServerAnswer[],
  { chunkBytes = 7 } = {},
): Promise<ProviderServer> {
  const received: ReceivedRequest[] = [];
  let answered = 0;
  const server = createServer(async (incoming, response) => {
    const bytes = await buffer(incoming);
    const { method = '', url = '', headers } = incoming;
    const request: ReceivedRequest = { method, path: url, headers, body: await parsedBody(bytes, headers['content-type']) };
    received.push(request);
    const listing = method === 'GET' ? format.get?.(url) : undefined;
    if (listing) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listing));
      return;
    }
    const answer = format.problem(request) ?? answers[Math.min(answered++, answers.length - 1)] ?? { status: 500 };
    await respond(response, answer, { format, request, isStream: format.isStream(request), chunkBytes });
  });
  const { port, close } = await listening(server);
  return { origin: `http://127.0.0.1:${port}`, received, close };
}

/**
 * Parsed body: JSON, form fields (a file is its name, type, and text), or text if the body has no
 * type.
 */
async function parsedBody(bytes: Buffer, contentType = ''): Promise<JsonObject> {
  if (bytes.length === 0) return {};
  if (contentType === '') return { text: bytes.toString('utf8') };
  if (!contentType.startsWith('multipart/')) return JSON.parse(bytes.toString('utf8')) as JsonObject;
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  const fields = [...form].map(async ([name, value]): Promise<[string, JsonValue]> => {
    if (typeof value === 'string') return [name, value];
    return [name, { fileName: value.name, type: value.type, text: await value.text() }];
  });
  return Object.fromEntries(await Promise.all(fields));
}

interface Responding {
  format: WireFormat;
  request: ReceivedRequest;
  isStream: boolean;
  chunkBytes: number;
}

async function respond(response: ServerResponse, answer: ServerAnswer, responding: Responding): Promise<void> {
  const { isStream, chunkBytes, format } = responding;
  if ('status' in answer) {
    const error = format.error(answer.status, `status ${answer.status}`);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? JSON.stringify(error));
    return;
  }
  if ('malformed' in answer) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer.malformed);
    return;
  }
  if ('silent' in answer) {
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' }).flushHeaders();
    return;
  }
  const drop = 'droppedAfter' in answer ? answer.droppedAfter : undefined;
  const bytes = Buffer.from(bodyOf(answer, responding)).subarray(0, 'endsAfter' in answer ? answer.endsAfter : undefined);
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

type Answered = Exclude<ServerAnswer, { status: number } | { malformed: string } | { silent: true }>;

function bodyOf(answer: Answered, { format, isStream, request }: Responding): string | Uint8Array {
  if ('failsAfter' in answer) {
    if (isStream) return format.failingStream(answer.failsAfter);
    return JSON.stringify(format.error(500, 'failed'));
  }
  const full = 'droppedAfter' in answer || 'endsAfter' in answer ? { text: 'an answer that never arrives in full' } : answer;
  return isStream ? format.stream(full) : JSON.stringify(format.completion(full, request));
}
