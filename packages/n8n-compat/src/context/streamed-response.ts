import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gatherBytes, type HttpClient, type HttpRequest, type HttpResponse, type HttpStreamedResponse } from '@sluice/node-sdk';

export interface StreamedResponse extends Omit<HttpResponse, 'body'> {
  body: Readable;
}

/** Response streams whose size is not checked yet. */
const streams = new WeakSet<object>();

/** Whether a stream is a response stream, whose size is not checked yet. */
export function isResponseStream(content: object): boolean {
  return streams.has(content);
}

/** Maximum size of an error response, in bytes. */
const maxRefusalBytes = 1024 * 1024;

/**
 * Makes a request and resolves once its headers arrive. An accepted body is streamed at the
 * package's pace, without a size limit, because storage has its own. Until the stream ends, a
 * timeout or abort is an error of the stream. Any other body is read completely, up to 1 MiB.
 */
export function streamedResponse(
  http: Pick<HttpClient, 'stream'>,
  request: HttpRequest,
  { signal, accepts }: { signal: AbortSignal; accepts: (status: number) => boolean },
): Promise<HttpResponse | StreamedResponse> {
  return new Promise((resolve, reject) => {
    const handOver = async ({ body, ...head }: HttpStreamedResponse) => {
      if (!accepts(head.status)) return resolve({ ...head, body: await firstBytes(body) });
      // Later errors reach the reader; without one, they are ignored.
      const returnedBody = new PassThrough().on('error', () => undefined);
      streams.add(returnedBody);
      resolve({ ...head, body: returnedBody });
      await pipeline(body, returnedBody);
    };
    http.stream({ ...request, maxResponseBytes: Number.POSITIVE_INFINITY }, signal, handOver).catch(reject);
  });
}

async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return (await gatherBytes(body, maxRefusalBytes)).bytes().subarray(0, maxRefusalBytes);
}
