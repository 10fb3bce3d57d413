import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The result of `GET /readyz` for each part. */
type Readiness = Record<string, boolean>;

/** The result of `GET /metrics`. */
interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

interface HealthServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  readiness: () => Readiness;
  /** Null: the path does not exist. */
  metrics: { get(): Promise<Metrics> } | null;
}

export interface HealthServer {
  port: number;
  close(): Promise<void>;
}

/**
 * `GET /healthz` returns 200 while the process is alive. `GET /readyz` returns 200 if every part is
 * ready, otherwise 503. Both respond with JSON. `GET /metrics` is for Prometheus. Resolves when the
 * server listens.
 */
export async function startHealthServer({ host, port, readiness, metrics }: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/metrics' && metrics) void sendMetrics(metrics, response);
    else if (path === '/healthz') sendState({}, response);
    else if (path === '/readyz') sendState(readiness(), response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"not found","code":"NOT_FOUND"}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

function sendState(parts: Readiness, response: ServerResponse): void {
  const ready = Object.values(parts).every(Boolean);
  response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: ready ? 'ok' : 'unavailable', ...parts }));
}

async function sendMetrics(source: { get(): Promise<Metrics> }, response: ServerResponse): Promise<void> {
  try {
    const metrics = await source.get();
    response.setHeader('content-type', metrics.contentType).end(await metrics.text());
  } catch {
    response.writeHead(500).end();
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
