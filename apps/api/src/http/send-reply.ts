import type { Response } from 'express';
import type { Reply } from './define-route.ts';
import { sendEvents } from './send-events.ts';
import { sendFile } from './send-file.ts';

/** Bodies that several requests are answered with, as JSON. */
const texts = new WeakMap<object, Buffer>();

export async function sendReply(reply: Reply, response: Response): Promise<void> {
  const { status, body, shared, events, file, headers = {} } = reply;
  response.status(status).set(headers);
  if (events) await sendEvents(events, response);
  else if (file) await sendFile(file, response);
  else if (status === 204) response.end();
  else if (shared && typeof body === 'object' && body !== null) response.type('json').send(textOf(body));
  else response.json(body);
}

function textOf(body: object): Buffer {
  const known = texts.get(body);
  if (known) return known;
  const text = Buffer.from(JSON.stringify(body));
  texts.set(body, text);
  return text;
}
