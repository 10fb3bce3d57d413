import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on the loopback that lets `ann` with her password in, and says what it was sent to all others. */
export interface BasicAuthService {
  url: string;
  /** Requests, in order. */
  seen: IncomingMessage[];
  close(): void;
}

export async function startBasicAuthService(): Promise<BasicAuthService> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const good = request.headers.authorization === `Basic ${Buffer.from('ann:correct horse').toString('base64')}`;
    response.writeHead(good ? 200 : 401).end(good ? 'ok' : `no: ${request.headers.authorization}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
