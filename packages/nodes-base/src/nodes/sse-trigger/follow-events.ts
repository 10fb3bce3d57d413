import { AppError, type HttpClient, isAppError, NodeApiError } from '@sluice/node-sdk';
import { pause } from '../../shared/pause.ts';
import { type SseEvent, SseParser } from './event-parser.ts';

export interface Following {
  url: string;
  signal: AbortSignal;
  /** Where to go on; empty: anywhere. */
  lastEventId: string;
  /** Called when the server has agreed, once for each connection. */
  onOpen(): void;
  /** Called for one event after another; nothing is read while it runs. */
  onEvent(event: SseEvent): Promise<void>;
}

/** Characters of one event. */
const maxEventLength = 16 * 1024 * 1024;

/** Milliseconds until a connection that has ended is opened again: by default, and the range in which a server may choose. */
const reconnecting = { defaultMs: 3_000, shortestMs: 100, longestMs: 60_000 };

/** The longest that Node's timers hold: a stream has no end that we would know of. */
const endlessMs = 2 ** 31 - 1;

/**
 * Reads a stream of server-sent events, and opens it again behind the last event when the server ends it. Never resolves; rejects with the reason of the
 * signal, with what `onEvent` rejects with, and where the server does not agree, cannot be reached, or sends an event that is too large.
 */
export async function followEvents(http: HttpClient, following: Following): Promise<never> {
  const state = { lastEventId: following.lastEventId, pauseMs: reconnecting.defaultMs };
  for (;;) {
    await readStream(http, following, state);
    await pause(state.pauseMs, following.signal);
  }
}

interface StreamState {
  lastEventId: string;
  pauseMs: number;
}

async function readStream(http: HttpClient, { url, signal, onOpen, onEvent }: Following, state: StreamState): Promise<void> {
  const headers = {
    accept: 'text/event-stream',
    'cache-control': 'no-cache',
    ...(state.lastEventId !== '' && { 'last-event-id': headerText(state.lastEventId) }),
  };
  const request = {
    method: 'GET',
    url,
    headers,
    maxRedirects: 5,
    timeoutMs: endlessMs,
    maxResponseBytes: Number.POSITIVE_INFINITY,
  };
  await http.stream(request, signal, async ({ status, headers: answered, body }) => {
    requireEventStream(status, answered['content-type']);
    onOpen();
    try {
      await readEvents(body, onEvent, state);
    } catch (error) {
      // A connection that breaks is one that ended.
      if (!isAppError(error) || error.code !== 'HTTP_FAILED') throw error;
    }
  });
}

async function readEvents(body: AsyncIterable<Uint8Array>, onEvent: Following['onEvent'], state: StreamState): Promise<void> {
  const parser = new SseParser(state.lastEventId);
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    for (const event of parser.feed(decoder.decode(chunk, { stream: true }))) {
      await onEvent(event);
      state.lastEventId = event.lastEventId;
    }
    if (parser.pendingLength > maxEventLength) throw tooLarge();
    const { retryMs } = parser;
    if (retryMs !== undefined) state.pauseMs = Math.min(Math.max(retryMs, reconnecting.shortestMs), reconnecting.longestMs);
  }
}

function requireEventStream(status: number, contentType: string | string[] | undefined): void {
  if (status === 204)
    throw new NodeApiError('the server has no events any more: it answered 204', {
      description: 'Check that the stream is still there; the server asks not to be called again',
    });
  if (status !== 200)
    throw new NodeApiError(`the server answered ${status}`, {
      details: { status },
      description: 'Check the URL, and what the server asks of those who listen',
    });
  if (/^text\/event-stream\s*(;|$)/i.test(String(contentType ?? ''))) return;
  const description = 'Check that the URL is that of a stream of server-sent events';
  throw new NodeApiError('the server answered with something else than text/event-stream', { description });
}

/** Ids are UTF-8 in the protocol; headers take bytes as characters. */
function headerText(id: string): string {
  return Buffer.from(id).toString('latin1');
}

function tooLarge(): AppError {
  const message = `the server sends an event of more than ${maxEventLength} characters`;
  return new AppError({ code: 'RESULT_TOO_LARGE', message });
}
