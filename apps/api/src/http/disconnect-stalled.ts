import type { ServerResponse } from 'node:http';

const stalledAfterMs = 120_000;

/**
 * Disconnects a client that reads nothing for two minutes while a response is sent: the response
 * holds memory, an open file, or a connection to a storage. A client that reads slowly receives
 * everything. Call it when the response is complete; a response that still waits for its content
 * may be silent for longer.
 */
export function disconnectStalled(response: ServerResponse, afterMs = stalledAfterMs): void {
  response.setTimeout(afterMs, () => response.destroy());
}
