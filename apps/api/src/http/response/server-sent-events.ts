import { once } from 'node:events';
import type { Response } from 'express';

/** One event of an event stream (WHATWG HTML, "server-sent events"). */
export interface ServerSentEvent {
  event: string;
  /** Sent as JSON. */
  data?: unknown;
  /** Sent unchanged, in place of `data`: one line. */
  text?: string;
  /** Position in the stream, which a reconnecting client sends as `Last-Event-ID`. */
  id?: string;
}

/** The second one keeps proxies (nginx) from buffering the stream. */
export const eventStreamHeaders = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };

/** Serialized JSON contains no line breaks, so `data` needs one line. */
export function formatEvent({ event, data, text, id }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text ?? JSON.stringify(data)}\n\n`;
}

/** Milliseconds between comments, which keep an idle stream open and reveal stuck clients. */
const heartbeatMs = 15_000;

/**
 * Sends events as they arrive and ends the response after the last event. Applies backpressure to
 * the source, and disconnects a client that reads nothing for two heartbeats. When the client
 * disconnects, the iterator of the source is closed (`return`).
 */
export async function sendEvents(events: AsyncIterable<ServerSentEvent>, response: Response): Promise<void> {
  response.set(eventStreamHeaders);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.flushHeaders();
  const heartbeat = startHeartbeat(response);
  try {
    for await (const event of events) {
      if (response.destroyed) break;
      if (!response.write(formatEvent(event))) await drained(response);
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

function startHeartbeat(response: Response): NodeJS.Timeout {
  let stuck = false;
  return setInterval(() => {
    if (stuck && response.writableNeedDrain) response.destroy();
    stuck = response.writableNeedDrain;
    if (!stuck) response.write(': still here\n\n');
  }, heartbeatMs);
}

async function drained(response: Response): Promise<void> {
  if (response.destroyed) return;
  const disconnected = new AbortController();
  const stop = () => disconnected.abort();
  response.once('close', stop);
  await once(response, 'drain', { signal: disconnected.signal }).catch(() => undefined);
  response.off('close', stop);
}
