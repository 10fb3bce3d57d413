/** One event of an event stream (WHATWG HTML, "server-sent events"). */
export interface ServerSentEvent {
  event: string;
  /** Sent as JSON. */
  data: unknown;
  /** Where a client that comes back wants to go on: it sends the last one it got as `Last-Event-ID`. */
  id?: string;
}

/** JSON holds no line break, so an event is three lines at most, and a blank one that ends it. */
export function formatEvent({ event, data, id }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
