import { createServer, type IncomingMessage } from 'node:http';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/**
 * A loopback service that admits `ann` with her password, and returns the credentials of all other
 * requests.
 */
export interface BasicAuthService extends LoopbackServer {
  /** Requests, in order. */
  seen: IncomingMessage[];
}

export async function startBasicAuthService(): Promise<BasicAuthService> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const good = request.headers.authorization === `Basic ${Buffer.from('ann:correct horse').toString('base64')}`;
    response.writeHead(good ? 200 : 401).end(good ? 'ok' : `no: ${request.headers.authorization}`);
  });
  return { ...(await listening(server)), seen };
}
