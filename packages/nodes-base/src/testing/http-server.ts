import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '@sluice/http-client/testing';

/** A request as the server received it. */
export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Names and values alternating, as received. */
  rawHeaders: string[];
  body: Buffer;
}

export interface HttpTestServer {
  /** `http://127.0.0.1:port` */
  origin: string;
  received: Received[];
  close(): Promise<void>;
}

/** An HTTP server on the loopback interface that records its requests. */
export async function httpServer(
  answer: (request: Received, response: ServerResponse) => void | Promise<void>,
): Promise<HttpTestServer> {
  const received: Received[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const { method = '', url = '', headers, rawHeaders } = incoming;
    const request = { method, url, headers, rawHeaders, body: await buffer(incoming) };
    received.push(request);
    await answer(request, response);
  });
  const { port, close } = await listening(server);
  return { origin: `http://127.0.0.1:${port}`, received, close };
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
