import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '@sluice/http-client/testing';

/** A request as the server of a test got it. */
export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were written. */
  rawHeaders: string[];
  body: Buffer;
}

export interface HttpTestServer {
  /** `http://127.0.0.1:port` */
  origin: string;
  received: Received[];
  close(): Promise<void>;
}

/** An HTTP server on the loopback that keeps what it was asked. */
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

/** Answers with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
