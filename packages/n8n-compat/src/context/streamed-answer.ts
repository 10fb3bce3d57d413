import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpClient, HttpRequest, HttpResponse, HttpStreamedResponse } from '@sluice/node-sdk';

/** An answer, with its body as it comes. */
export interface StreamedAnswer extends Omit<HttpResponse, 'body'> {
  body: Readable;
}

/** Streams of answers that have not been read yet. */
const streams = new WeakSet<object>();

/** Whether a stream is that of an answer, whose size nobody has judged. */
export function isAnswerStream(content: object): boolean {
  return streams.has(content);
}

/** Bytes of an answer that is no success. */
const maxRefusalBytes = 1024 * 1024;

/**
 * Makes a request and resolves once its head is there. A body that is accepted is read as fast as the package takes it, whatever its size: what stores it has caps of its
 * own. Time-out and signal hold until its end, and end the stream with their error. Of any other answer the body is read whole, up to 1 MiB.
 */
export function streamedAnswer(
  http: Pick<HttpClient, 'stream'>,
  request: HttpRequest,
  { signal, accepts }: { signal: AbortSignal; accepts: (status: number) => boolean },
): Promise<HttpResponse | StreamedAnswer> {
  return new Promise((resolve, reject) => {
    const handOver = async ({ body, ...head }: HttpStreamedResponse) => {
      if (!accepts(head.status)) return resolve({ ...head, body: await firstBytes(body) });
      // What goes wrong from here on is told to whoever reads, and harms nobody where nobody does.
      const handed = new PassThrough().on('error', () => undefined);
      streams.add(handed);
      resolve({ ...head, body: handed });
      await pipeline(body, handed);
    };
    http.stream({ ...request, maxResponseBytes: Number.POSITIVE_INFINITY }, signal, handOver).catch(reject);
  });
}

async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= maxRefusalBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxRefusalBytes);
}
