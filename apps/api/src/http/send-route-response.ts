import { Readable } from 'node:stream';
import { stringifyJson } from '@sluice/domain';
import type { Response } from 'express';
import type { RouteResponse } from './define-route.ts';
import { pipeToClient } from './pipe-to-client.ts';
import { sendEvents } from './send-events.ts';
import { sendFile } from './send-file.ts';

/** JSON of bodies that several responses share. */
const texts = new WeakMap<object, Buffer>();

export async function sendRouteResponse(content: RouteResponse, response: Response): Promise<void> {
  const { status, body, shared, events, file, headers = {} } = content;
  response.status(status).set(headers);
  if (events) await sendEvents(events, response);
  else if (file) await sendFile(file, response);
  else if (status === 204) response.end();
  else if (shared && typeof body === 'object' && body !== null) response.type('json').send(textOf(body));
  else await sendJson(body, response);
}

/** A large body, such as run data, is written in time slices. */
async function sendJson(body: unknown, response: Response): Promise<void> {
  const text = stringifyJson(body);
  if (!(text instanceof Promise)) response.type('json').send(text);
  else await pipeToClient(Readable.from(piecesOf(await text)), response.type('json'));
}

/** Characters of a piece. */
const pieceLength = 256 * 1024;

function* piecesOf(text: string): Generator<Buffer> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + pieceLength;
    // The halves of a surrogate pair stay together.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield Buffer.from(text.slice(start, end));
  }
}

function textOf(body: object): Buffer {
  const known = texts.get(body);
  if (known) return known;
  const text = Buffer.from(JSON.stringify(body));
  texts.set(body, text);
  return text;
}
