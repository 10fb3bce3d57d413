/** One event of an event stream (WHATWG HTML, "server-sent events"). */
export interface ServerSentEvent {
  event: string;
  /** Sent as JSON. */
  data?: unknown;
  /** Sent unchanged, in place of `data`: one line. */
  text?: string;
  /** Position in the stream. A client that reconnects sends the last one it received as `Last-Event-ID`. */
  id?: string;
}

/** The second one keeps proxies (nginx) from buffering the stream. */
export const eventStreamHeaders = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };

/** Serialized JSON contains no line breaks, so `data` needs one line. */
export function formatEvent({ event, data, text, id }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text ?? JSON.stringify(data)}\n\n`;
}
