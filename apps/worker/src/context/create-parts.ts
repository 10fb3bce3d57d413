import { createBinaryStore } from '@sluice/binary-store';
import { type Config, requireEncryptionKeys, requireServices } from '@sluice/config';
import { AuditLog, type Database, databaseEndpoints, insertAuditEntries } from '@sluice/db';
import { MemoryBudget, OnDemand, untilAvailable } from '@sluice/domain';
import type { Endpoint } from '@sluice/http-client';
import type { Logger } from '@sluice/logger';
import { type NodePackages, noNodePackages, UncaughtErrors } from '@sluice/node-packages';
import { baseCredentialTypes, withPackageTypes } from '@sluice/nodes-base/credentials';
import { discoverEndpoints, redisEndpoints } from '@sluice/queue';
import { KeyRing, MessageSeal, Vault } from '@sluice/vault';
import type { WorkerOverrides } from '../context.ts';
import type { WorkerGauges } from '../metrics/worker-metrics.ts';
import { type Connections, createConnections, type Urls } from './create-connections.ts';
import { createEngine } from './create-engine.ts';
import { createMembership } from './create-membership.ts';
import { createMessaging } from './create-messaging.ts';
import { createNodeKit } from './create-node-kit.ts';
import { createRepositories } from './create-repositories.ts';

/**
 * The parts that services share. Wiring passes all of them to each class, and the class's options
 * type picks what it needs.
 *
 * @param gauges of the services, which do not exist yet.
 */
export function createParts(
  config: Config,
  overrides: WorkerOverrides & { logger: Logger },
  gauges: Pick<WorkerGauges, 'concurrency' | 'listeners'>,
) {
  const { logger, nodePackages = noNodePackages, uncaughtErrors = new UncaughtErrors(logger), watchdog } = overrides;
  const urls = requireServices(config);
  const keys = KeyRing.parse(requireEncryptionKeys(config));
  const vault = new Vault(keys);
  const closing = new AbortController();
  const signal: AbortSignal = closing.signal;

  const connections = createConnections(config, urls, logger);
  const { db } = connections;
  const repositories = createRepositories(config, connections);
  const messaging = createMessaging(config, connections, { seal: new MessageSeal(keys), logger });
  const ownEndpoints = createOwnEndpoints(config, urls, connections);
  const { inFlight } = watchdog ?? {};
  const engine = createEngine(config, { ownEndpoints, nodePackages, uncaughtErrors, inFlight, replaced: overrides.engine });
  const audit = createAuditLog(db, signal, logger);
  const store = createBinaryStore(config.binary.store, config.secrets.s3);
  const credentialTypes = withPackageTypes(overrides.credentialTypes ?? baseCredentialTypes, nodePackages.credentialTypes);
  const kit = createNodeKit(config, { repositories, engine, store, vault, audit, credentialTypes });
  const membership = createMembership(config, {
    repositories,
    nodePackages,
    watchdog,
    capacity: gauges.concurrency,
    logger,
  });
  const active = () => membership.inFlightExecutions.size;
  const loadMetrics = () => createMetrics({ ...gauges, active, waitingStatements: () => db.waiting }, nodePackages);
  const metrics = config.metrics ? new OnDemand(loadMetrics) : null;

  return {
    ...connections,
    ...repositories,
    ...messaging,
    ...membership,
    ...kit,
    keys,
    vault,
    audit,
    /** The guarded client. */
    http: engine.ports.http,
    /**
     * Endpoints of the service, to which nodes may not connect; this process adds the port that it
     * listens on.
     */
    ownEndpoints,
    uncaughtErrors,
    watchdog,
    /** Null if metrics are off. */
    metrics,
    /** Fires when the worker closes. */
    closing: signal,
    /** Ends waits for Postgres and Redis, because the worker closes. */
    endWaits: () => closing.abort(),
    /** Memory for the data of executions. */
    memoryBudget: MemoryBudget.ofProcess(),
    logger,
    /** Closes connections, threads, and pools; the last step of a shutdown. */
    async closeConnections() {
      metrics?.current?.close();
      await audit.flush();
      store.close();
      await Promise.allSettled([messaging.close(), engine.close()]);
      await connections.close();
    },
  };
}

export type WorkerParts = ReturnType<typeof createParts>;

function createOwnEndpoints({ outgoing, database }: Config, urls: Urls, { producer }: Connections): Set<Endpoint> {
  const ownEndpoints = new Set<Endpoint>([
    ...outgoing.ownEndpoints,
    ...databaseEndpoints(urls.databaseUrl),
    ...databaseEndpoints(database.readUrl ?? urls.databaseUrl),
    ...redisEndpoints(urls.redisUrl),
  ]);
  discoverEndpoints(producer, ({ host, port }) => ownEndpoints.add({ host, port }));
  return ownEndpoints;
}

/**
 * Lines that cannot be written are kept in memory until the database is available again or the
 * worker closes.
 */
function createAuditLog({ kysely }: Database, closing: AbortSignal, logger: Logger): AuditLog {
  return new AuditLog({ insert: (entries) => untilAvailable(() => insertAuditEntries(kysely, entries), closing), logger });
}

/** Loaded on the first request: the metrics library uses 15 MB per process. */
async function createMetrics(
  gauges: Omit<WorkerGauges, 'packages'>,
  { packages: { length: loaded }, failures: { length: failed } }: NodePackages,
) {
  const { WorkerMetrics } = await import('../metrics/worker-metrics.ts');
  return new WorkerMetrics({ ...gauges, packages: { loaded, failed } });
}
