import { EventSourceParserStream } from 'eventsource-parser/stream';
import { apiUrl, send, toError } from './api.ts';
import { ConnectionError, isTemporary } from './errors.ts';

export interface ServerEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own shape, which the handler knows
  data: any;
}

interface FollowOptions {
  signal: AbortSignal;
  onEvent(event: ServerEvent): void;
  /** Called with true when the stream opens, and with false when it is lost. */
  onState?(isOpen: boolean): void;
  /** Returns true after the event that ends the stream for good. */
  isLast?(event: ServerEvent): boolean;
}

/** Delay before a reconnect, in milliseconds; doubled after each failure, up to the maximum. */
const reconnectMs = 1_000;
const maxReconnectMs = 15_000;
/**
 * Milliseconds without a byte after which the connection is considered lost: the service sends a
 * comment every 15 s.
 */
const silenceMs = 40_000;

/**
 * Follows server-sent events of the API, with the key in a header, which `EventSource` cannot send.
 * Reconnects with `Last-Event-ID`. Resolves after the last event or an abort; throws errors of the
 * API.
 */
export async function followEvents(path: string, options: FollowOptions): Promise<void> {
  const { signal, onState } = options;
  const position: Position = {};
  let pauseMs = reconnectMs;
  while (!signal.aborted) {
    try {
      if (await readStream(path, position, options)) return;
      pauseMs = reconnectMs;
    } catch (error) {
      if (signal.aborted) return;
      if (!isInterruption(error)) throw error;
      pauseMs = Math.min(2 * pauseMs, maxReconnectMs);
    } finally {
      onState?.(false);
    }
    await pause(pauseMs, signal);
  }
}

interface Position {
  lastId?: string;
}

/** Returns true after the last event. Keeps the position for a reconnect. */
async function readStream(path: string, position: Position, options: FollowOptions): Promise<boolean> {
  const { signal, onEvent, onState, isLast } = options;
  const events = await open(path, position.lastId, signal);
  onState?.(true);
  for await (const { id, event = 'message', data } of events) {
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
  const silence = new AbortController();
  const response = await send(new Request(apiUrl(path), { headers, signal: AbortSignal.any([signal, silence.signal]) }));
  if (!response.ok || response.body === null) throw toError(response, await response.json().catch(() => ({})));
  const bytes = response.body.pipeThrough(watchSilence(() => silence.abort(new ConnectionError('the stream is silent'))));
  return readAll(bytes.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()));
}

function watchSilence(onSilence: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, silenceMs);
  };
  return new TransformStream({
    start: restart,
    transform(chunk, controller) {
      restart();
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
