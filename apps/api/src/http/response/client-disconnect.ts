import type { ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

const cutOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The abort reason of every response: to create an error with a stack for each one is slow. */
export const responseClosed = new DOMException('the response is closed', 'AbortError');

/** Aborts when the response is complete or the client disconnects. */
export function disconnectSignal(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort(responseClosed));
  return disconnected.signal;
}

/**
 * Whether the client disconnected before its response was complete. The access log shows that; it
 * is not an error.
 */
export function isHangUp(error: unknown, { complete, destroyed }: Pick<Request, 'complete' | 'destroyed'>): boolean {
  return error === responseClosed || (!complete && destroyed && cutOff.has((error as { code?: unknown } | undefined)?.code));
}

const hangUps: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Sends the bytes, and destroys their source when the client disconnects. A disconnection, before
 * or meanwhile, is not an error: the access log shows it.
 */
export async function pipeToClient(bytes: Readable, response: Writable): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    bytes.destroy();
    if (!hangUps.has((error as { code?: unknown }).code)) throw error;
  }
}

const stalledAfterMs = 120_000;

/**
 * Disconnects a client that reads nothing for two minutes while a response is sent: the response
 * holds memory, an open file, or a connection to a storage. A client that reads slowly receives
 * everything. Call it when the response is complete; a response that still waits for its content
 * may be silent for longer. Call it after `end` if possible: a response that the operating system
 * has taken entirely needs no timer.
 */
export function disconnectStalled(response: ServerResponse, afterMs = stalledAfterMs): void {
  if (response.writableEnded && response.socket && response.writableLength === 0) return;
  response.setTimeout(afterMs, () => response.destroy());
}
