import type { Response } from 'express';

/** Aborts when the client disconnects before the response is sent. */
export function disconnectSignal(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
