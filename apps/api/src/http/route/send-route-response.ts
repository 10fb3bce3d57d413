import { Readable } from 'node:stream';
import { stringifyJsonInParts } from '@sluice/domain';
import type { Response } from 'express';
import { disconnectStalled, pipeToClient } from '../response/client-disconnect.ts';
import { sendFile } from '../response/send-file.ts';
import { sendEvents } from '../response/server-sent-events.ts';
import { UnreadResponses } from '../response/unread-responses.ts';
import type { RouteResponse } from './define-route.ts';

/** JSON of bodies that several responses share. */
const texts = new WeakMap<object, Buffer>();

/** Maximum number of characters of large responses that clients have not read yet. */
const unread = new UnreadResponses(128 * 1024 * 1024);

interface Sending {
  /** The user who reads the response. */
  userId: string;
  /** See `disconnectStalled`. */
  stalledAfterMs?: number;
}

/** Throws `RATE_LIMITED` for a large response to a user who has not read others. */
export async function sendRouteResponse(content: RouteResponse, response: Response, sending: Sending): Promise<void> {
  const { status, body, shared, events, file, headers = {} } = content;
  response.status(status).set(headers);
  if (events) return sendEvents(events, response);
  if (file) {
    disconnectStalled(response, sending.stalledAfterMs);
    await sendFile(file, response);
  } else if (status === 204) response.end();
  else if (shared && typeof body === 'object' && body !== null) endJson(textOf(body), response, sending);
  else await sendJson(body, response, sending);
}

/** A large body, such as run data, is written in time slices. */
async function sendJson(body: unknown, response: Response, sending: Sending): Promise<void> {
  const text = stringifyJsonInParts(body);
  if (!(text instanceof Promise)) return endJson(Buffer.from(text), response, sending);
  disconnectStalled(response, sending.stalledAfterMs);
  const parts = await text;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  unread.add(sending.userId, length, response);
  await pipeToClient(Readable.from(chunksOf(parts)), response.type('json'));
}

/**
 * Avoids Express's `send`, which responds 304 to a client that has the `ETag`. A workflow's `ETag`
 * guards users' writes; it does not change when executions change the static data.
 */
function endJson(bytes: Buffer, response: Response, { stalledAfterMs }: Sending): void {
  response.type('json').set('Content-Length', String(bytes.length)).end(bytes);
  disconnectStalled(response, stalledAfterMs);
}

/** Length of a chunk, in characters. */
const chunkLength = 256 * 1024;

/** Short parts are sent together, and long ones in chunks. */
function* chunksOf(parts: readonly string[]): Generator<Buffer> {
  let rest = '';
  for (const part of parts) {
    if (rest.length + part.length <= chunkLength) {
      rest += part;
      continue;
    }
    yield Buffer.from(rest);
    let start = 0;
    while (part.length - start > chunkLength) {
      const end = start + chunkLength;
      // The halves of a surrogate pair stay together.
      const isPair = (part.charCodeAt(end - 1) & 0xfc00) === 0xd800;
      yield Buffer.from(part.slice(start, isPair ? end + 1 : end));
      start = isPair ? end + 1 : end;
    }
    rest = part.slice(start);
  }
  yield Buffer.from(rest);
}

function textOf(body: object): Buffer {
  const cached = texts.get(body);
  if (cached) return cached;
  const text = Buffer.from(JSON.stringify(body));
  texts.set(body, text);
  return text;
}
