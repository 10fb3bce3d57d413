import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const hangUps: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Sends the bytes, and destroys their source when the client disconnects. A disconnection, before or
 * meanwhile, is not an error: the access log shows it.
 */
export async function pipeToClient(bytes: Readable, response: Writable): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    bytes.destroy();
    if (!hangUps.has((error as { code?: unknown }).code)) throw error;
  }
}
