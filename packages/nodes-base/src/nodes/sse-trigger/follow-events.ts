import { AppError, currentMemory, dataSize, type HttpClient, isAppError, NodeApiError } from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { pause } from '../../shared/pause.ts';
import { type SseEvent, SseParser } from './event-parser.ts';

export interface Following {
  url: string;
  signal: AbortSignal;
  /** ID to resume after; empty: no ID. */
  lastEventId: string;
  /** Called for each connection, once the server has accepted it. */
  onOpen(): void;
  /** Called for each event in turn; reading pauses while it runs. */
  onEvent(event: SseEvent): Promise<void>;
}

/** Maximum number of characters in an event. */
const maxEventLength = 16 * 1024 * 1024;

/**
 * Delay before a reconnect in milliseconds: the default, and the range in which the server may
 * choose.
 */
const reconnecting = { defaultMs: 3_000, shortestMs: 100, longestMs: 60_000 };

/** Maximum delay of Node timers: a stream has no known end. */
const endlessMs = 2 ** 31 - 1;

/**
 * Reads a stream of server-sent events, and reconnects after the last event when the server ends
 * it. Never resolves. Rejects with the signal's reason, with errors of `onEvent`, and if the server
 * refuses, is unreachable, or sends an event that is too large.
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
  await http.stream(request, signal, async ({ status, headers: responseHeaders, body }) => {
    requireEventStream(status, responseHeaders['content-type']);
    onOpen();
    try {
      await readEvents(body, onEvent, state);
    } catch (error) {
      // A broken connection is treated as ended.
      if (!isAppError(error) || error.code !== 'HTTP_FAILED') throw error;
    }
  });
}

async function readEvents(body: AsyncIterable<Uint8Array>, onEvent: Following['onEvent'], state: StreamState): Promise<void> {
  const parser = new SseParser(state.lastEventId);
  const decoder = new TextDecoder();
  const memory = currentMemory();
  let pending = 0;
  try {
    for await (const chunk of body) {
      await memory?.receive(dataSize(chunk.byteLength));
      pending += chunk.byteLength;
      for (const event of parser.feed(decoder.decode(chunk, { stream: true }))) {
        await onEvent(event);
        state.lastEventId = event.lastEventId;
      }
      if (parser.pendingLength > maxEventLength) throw tooLarge();
      const passedOn = Math.max(0, pending - parser.pendingLength);
      memory?.passOn(dataSize(passedOn));
      pending -= passedOn;
      const { retryMs } = parser;
      if (retryMs !== undefined) state.pauseMs = Math.min(Math.max(retryMs, reconnecting.shortestMs), reconnecting.longestMs);
    }
  } finally {
    memory?.passOn(dataSize(pending));
  }
}

function requireEventStream(status: number, contentType: string | string[] | undefined): void {
  if (status === 204)
    throw new NodeApiError('the server has no more events: it responded with 204', {
      description: 'Check that the stream still exists; the server asks clients not to reconnect',
    });
  if (status !== 200)
    throw new NodeApiError(`the server responded with ${status}`, {
      details: { status },
      description: 'Check the URL and the requirements of the server',
    });
  if (/^text\/event-stream\s*(;|$)/i.test(coercedText(contentType))) return;
  const description = 'Check that the URL is a stream of server-sent events';
  throw new NodeApiError('the server’s response is not text/event-stream', { description });
}

/** IDs are UTF-8 in the protocol; headers represent bytes as characters. */
function headerText(id: string): string {
  return Buffer.from(id).toString('latin1');
}

function tooLarge(): AppError {
  const message = `the server sent an event with more than ${maxEventLength} characters`;
  return new AppError({ code: 'RESULT_TOO_LARGE', message });
}
