import type { HttpClient } from '@sluice/node-sdk';
import { noNetwork } from '@sluice/node-sdk/testing';

/** A client that streams the results of `request`, for fakes that return bytes. */
export function streaming(client: Pick<HttpClient, 'request'> & Partial<HttpClient>): HttpClient {
  return {
    guard: client.guard ?? noNetwork.guard,
    request: (...args) => client.request(...args),
    stream: (request, signal, read) =>
      client.stream
        ? client.stream(request, signal, read)
        : client.request(request, signal).then(({ body, ...head }) => read({ ...head, body: chunks(body) })),
  };
}

async function* chunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}
