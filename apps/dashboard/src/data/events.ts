import { EventSourceParserStream } from 'eventsource-parser/stream';
import { apiUrl, send, toError } from './api.ts';
import { isTemporary } from './errors.ts';

export interface ServerEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own shape, which the handler knows
  data: any;
}

interface FollowOptions {
  signal: AbortSignal;
  onEvent(event: ServerEvent): void;
  /** Returns true after the event that ends the stream for good. */
  isLast?(event: ServerEvent): boolean;
}

/** Milliseconds before a reconnect. */
const reconnectMs = 1_000;

/**
 * Follows server-sent events of the API, with the key in a header, which `EventSource` cannot send.
 * Reconnects with `Last-Event-ID`. Resolves after the last event or an abort; throws errors of the API.
 */
export async function followEvents(path: string, options: FollowOptions): Promise<void> {
  const { signal } = options;
  const position: Position = {};
  while (!signal.aborted) {
    try {
      if (await readStream(path, position, options)) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isInterruption(error)) throw error;
    }
    await pause(signal);
  }
}

interface Position {
  lastId?: string;
}

/** Returns true after the last event. Keeps the position for a reconnect. */
async function readStream(path: string, position: Position, { signal, onEvent, isLast }: FollowOptions): Promise<boolean> {
  for await (const { id, event = 'message', data } of await open(path, position.lastId, signal)) {
    if (id !== undefined) position.lastId = id;
    const received = { event, data: JSON.parse(data) };
    onEvent(received);
    if (isLast?.(received)) return true;
  }
  return false;
}

/** Broken streams throw `TypeError`. */
function isInterruption(error: unknown): boolean {
  return error instanceof TypeError || isTemporary(error);
}

async function open(path: string, lastId: string | undefined, signal: AbortSignal) {
  const headers = { Accept: 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
  const response = await send(new Request(apiUrl(path), { headers, signal }));
  if (!response.ok || response.body === null) throw toError(response, await response.json().catch(() => ({})));
  return readAll(response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()));
}

/** Safari lacks asynchronous iteration of streams. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, reconnectMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
