import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What `GET /readyz` tells of each part. */
export type Readiness = Record<string, boolean>;

export interface HealthServer {
  port: number;
  close(): Promise<void>;
}

/**
 * `GET /healthz` answers 200 while the process lives; `GET /readyz` 200 when every part is ready, else 503. Both in JSON.
 * Resolves when it listens; port 0 takes any free one.
 */
export async function startHealthServer(host: string, port: number, readiness: () => Readiness): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' || (path !== '/healthz' && path !== '/readyz')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"not found","code":"NOT_FOUND"}');
      return;
    }
    const parts = path === '/readyz' ? readiness() : {};
    const ready = Object.values(parts).every(Boolean);
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: ready ? 'ok' : 'unavailable', ...parts }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
