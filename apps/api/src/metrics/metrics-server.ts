import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsOnDemand } from './observe-requests.ts';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves only `GET /metrics`, on a separate port, so that a reverse proxy in front of the public
 * port cannot expose it by mistake. Resolves when it listens.
 */
export async function startMetricsServer(
  metrics: MetricsOnDemand,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isMetrics = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isMetrics) return void response.writeHead(404).end();
    render(metrics).then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function render(metrics: MetricsOnDemand): Promise<{ contentType: string; text: string }> {
  const apiMetrics = await metrics.get();
  return { contentType: apiMetrics.contentType, text: await apiMetrics.text() };
}
