import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '@sluice/config';
import { within } from '@sluice/domain';
import { loadNodePackages, logNodePackages, UncaughtErrors } from '@sluice/node-packages';
import { createApp } from './app.ts';
import { type ApiContext, type ContextOverrides, createApiLogger, createContext } from './context.ts';
import { refuseBrokenRequest, refuseTunnel } from './http/errors/refuse-broken-request.ts';
import { limitPipelining, stopParsingWhenClosed } from './http/request/limit-pipelining.ts';
import { continueWhenRead } from './http/request/unread-body.ts';
import { type MetricsServer, startMetricsServer } from './metrics/metrics-server.ts';

/**
 * Connection limits of the HTTP server, in milliseconds and bytes. Slow senders are disconnected at
 * most a second late.
 */
export const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

const idleSweepMs = 100;

export interface RunningApi {
  /** TCP port it listens on. */
  port: number;
  /** TCP port of `/metrics`; null if `METRICS` is off. */
  metricsPort: number | null;
  context: ApiContext;
  /**
   * Reports not ready → accepts no new connections → lets in-flight requests finish within the
   * grace period → closes connections. Safe to repeat.
   */
  stop(): Promise<void>;
}

interface ApiOverrides extends Omit<ContextOverrides, 'uncaughtErrors'> {
  /** Receives the handler for uncaught errors in node code before any of this code is loaded. */
  watch?: (uncaughtErrors: UncaughtErrors) => void;
}

/**
 * Starts to listen. Postgres and Redis may still be down: `/readyz` reports it, and requests get
 * 503 until they are up.
 */
export async function startApi(config: Config, { watch, ...overrides }: ApiOverrides = {}): Promise<RunningApi> {
  const { logger = createApiLogger(config) } = overrides;
  const uncaughtErrors = new UncaughtErrors(logger);
  watch?.(uncaughtErrors);
  const nodePackages = await loadNodePackages({ ...config.nodePackages, uncaughtErrors, logger });
  const context = createContext(config, { nodePackages, ...overrides, logger, uncaughtErrors });
  let metricsServer: MetricsServer | null = null;
  try {
    logNodePackages(nodePackages, context.logger);
    const { host } = config.http;
    if (context.metrics) metricsServer = await startMetricsServer(context.metrics, { host, port: config.metricsPort });
    const metricsPort = metricsServer?.port ?? null;
    if (metricsPort !== null) context.ownEndpoints.add({ host: '127.0.0.1', port: metricsPort });
    const server = await listen(context);
    const { port } = server.address() as AddressInfo;
    context.ownEndpoints.add({ host: '127.0.0.1', port });
    context.logger.info({ host, port, metricsPort }, 'listening');
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= stopApi(server, context).finally(() => metricsServer?.close());
      return stopped;
    };
    return { port, metricsPort, context, stop };
  } catch (error) {
    await metricsServer?.close();
    await context.close();
    throw error;
  }
}

function listen(context: ApiContext): Promise<Server> {
  const { host, port } = context.config.http;
  const app = limitPipelining(createApp(context));
  // The app rejects a missing Host header and unknown expectations itself, in JSON.
  const server = createServer({ ...serverLimits, requireHostHeader: false }, app);
  server.on('connection', stopParsingWhenClosed);
  server.on('checkExpectation', app);
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    app(request, response);
  });
  server.on('connect', (_request, socket) => refuseTunnel(socket));
  server.on('clientError', refuseBrokenRequest);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

async function stopApi(server: Server, context: ApiContext): Promise<void> {
  context.readiness.stop();
  context.services.runs.stopWaiting();
  context.webhooks.webhooks.stopWaiting();
  context.services.events.close();
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A keep-alive connection becomes idle once its in-flight request has a response.
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
  await within(context.config.shutdownGraceMs, closed);
  clearInterval(sweep);
  server.closeAllConnections();
  await closed;
  await context.close();
  context.logger.info('stopped');
}
