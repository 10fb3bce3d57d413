import { createBinaryStore } from '@sluice/binary-store';
import { type Config, requireEncryptionKeys, requireServices } from '@sluice/config';
import { AuditLog, type Database, databaseEndpoints, insertAuditEntries } from '@sluice/db';
import { MemoryBudget, OnDemand, traceFields, untilAvailable } from '@sluice/domain';
import type { EnginePorts } from '@sluice/engine';
import type { Endpoint } from '@sluice/http-client';
import { createLogger, type Logger } from '@sluice/logger';
import { type NodePackages, noNodePackages, UncaughtErrors } from '@sluice/node-packages';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, withPackageTypes } from '@sluice/nodes-base/credentials';
import { discoverEndpoints, type RedisWatch, redisEndpoints } from '@sluice/queue';
import { checkCanary, KeyRing, MessageSeal, Vault } from '@sluice/vault';
import type { Watchdog } from '@sluice/watchdog';
import { CancelCheck } from './claims/cancel-check.ts';
import type { InFlightExecutions } from './claims/in-flight-executions.ts';
import type { LeaseKeeper } from './claims/lease-keeper.ts';
import { createConnections } from './context/create-connections.ts';
import { createEngine } from './context/create-engine.ts';
import { createIntakes, type Intakes } from './context/create-intakes.ts';
import { createMaintenance, type Maintenance } from './context/create-maintenance.ts';
import { createMembership } from './context/create-membership.ts';
import { createMessaging } from './context/create-messaging.ts';
import { createNodeKit } from './context/create-node-kit.ts';
import { createRepositories } from './context/create-repositories.ts';
import { createResumption, type Resumption } from './context/create-resumption.ts';
import { createTriggers, type Triggers } from './context/create-triggers.ts';
import type { ExecutionIntake } from './intake/execution-intake.ts';
import type { WorkerGauges, WorkerMetrics } from './metrics/worker-metrics.ts';
import type { Service } from './services.ts';
import type { Sources } from './triggers/sources/create-sources.ts';

/**
 * All parts of a worker, wired once. Nothing has started yet, except that connections open in the
 * background.
 */
export interface WorkerContext extends Maintenance {
  config: Config;
  logger: Logger;
  db: Database;
  redisWatch: RedisWatch;
  inFlightExecutions: InFlightExecutions;
  lease: LeaseKeeper;
  /**
   * The parts that take or create work, in their starting order. The lease exists before the first
   * starts and after the last stops.
   */
  services: readonly Service[];
  /** Runs triggers that poll or listen. */
  sources: Sources;
  audit: AuditLog;
  /** Each takes executions from one queue. */
  intakes: readonly ExecutionIntake[];
  /** Null if metrics are off. */
  metrics: OnDemand<WorkerMetrics> | null;
  /**
   * Endpoints of the service, to which nodes may not connect; this process adds the port that it
   * listens on.
   */
  ownEndpoints: Set<Endpoint>;
  /** Fires when the worker closes, which ends waits for Postgres and Redis. */
  closing: AbortController;
  /** Throws if the configured master keys do not match the database. */
  checkKeys(): Promise<void>;
  /** Subscribes to signals. */
  listen(): void;
  /** Closes connections, threads, and pools; the last step of a shutdown. */
  closeConnections(): Promise<void>;
}

export interface WorkerOverrides {
  engine?: Partial<EnginePorts>;
  /** Replaces the built-in node types. */
  credentialTypes?: readonly CredentialType[];
  /** Content of community packages; default: no packages. */
  nodePackages?: NodePackages;
  logger?: Logger;
  /**
   * Handles errors that node code throws outside its calls; default: a handler without listeners.
   */
  uncaughtErrors?: UncaughtErrors;
  /** Watches the process's event loop; default: no watchdog. */
  watchdog?: Pick<Watchdog, 'inFlight' | 'keepLease' | 'leasesRenewedAt'>;
}

export function createWorkerLogger({ logLevel }: Config): Logger {
  return createLogger({ name: 'worker', level: logLevel, context: traceFields });
}

/** @param overrides ports to replace in tests. */
export function createContext(config: Config, overrides: WorkerOverrides = {}): WorkerContext {
  const urls = requireServices(config);
  const keys = KeyRing.parse(requireEncryptionKeys(config));
  const vault = new Vault(keys);
  const logger = overrides.logger ?? createWorkerLogger(config);
  const { nodePackages = noNodePackages, uncaughtErrors = new UncaughtErrors(logger), watchdog } = overrides;
  const credentialTypes = withPackageTypes(overrides.credentialTypes ?? baseCredentialTypes, nodePackages.credentialTypes);

  const connections = createConnections(config, urls, logger);
  const { db } = connections;
  const closing = new AbortController();
  const audit = createAuditLog(db, closing.signal, logger);
  const store = createBinaryStore(config.binary.store, config.secrets.s3);
  const repositories = createRepositories(config, connections);
  const messaging = createMessaging(config, connections, { seal: new MessageSeal(keys), logger });
  const ownEndpoints = new Set<Endpoint>([
    ...config.outgoing.ownEndpoints,
    ...databaseEndpoints(urls.databaseUrl),
    ...databaseEndpoints(config.database.readUrl ?? urls.databaseUrl),
    ...redisEndpoints(urls.redisUrl),
  ]);
  discoverEndpoints(connections.producer, ({ host, port }) => ownEndpoints.add({ host, port }));
  const engine = createEngine(config, {
    ownEndpoints,
    nodePackages,
    uncaughtErrors,
    inFlight: watchdog?.inFlight,
    replaced: overrides.engine,
  });
  const kit = createNodeKit(config, {
    repositories,
    engine: engine.ports,
    connectGuard: engine.connectGuard,
    store,
    vault,
    audit,
    credentialTypes,
  });
  const membership = createMembership(config, {
    repositories,
    nodePackages,
    watchdog,
    capacity: () => intake.concurrency.limit,
    logger,
  });
  const { inFlightExecutions, lease } = membership;
  const cancelCheck = new CancelCheck({ areOver: (refs) => repositories.workers.areOver(refs), inFlightExecutions, logger });
  const listeners = () => triggers.sources.clock.listeners;
  const metrics = config.metrics
    ? new OnDemand(() =>
        loadMetrics(
          {
            active: () => inFlightExecutions.size,
            concurrency: () => intake.concurrency.limit,
            listeners,
            waitingStatements: () => db.waiting,
          },
          nodePackages,
        ),
      )
    : null;

  const shared = {
    ...connections,
    ...repositories,
    ...messaging,
    ...membership,
    ...kit,
    keys,
    vault,
    http: engine.ports.http,
    uncaughtErrors,
    watchdog,
    metrics,
    closing: closing.signal,
    memoryBudget: MemoryBudget.ofProcess(),
    logger,
  };
  const resumption = createResumption(shared);
  const parts = { ...shared, ...resumption };
  const intake = createIntakes(config, parts);
  const triggers = createTriggers(config, parts);
  const maintenance = createMaintenance(config, { ...parts, recentlyEmptyShards: intake.recentlyEmptyShards });
  return {
    config,
    logger,
    db,
    redisWatch: messaging.redisWatch,
    inFlightExecutions,
    lease,
    ...maintenance,
    sources: triggers.sources,
    services: listServices({ ...intake, ...maintenance, ...resumption, ...triggers }),
    audit,
    intakes: intake.intakes,
    metrics,
    ownEndpoints,
    closing,
    checkKeys: () => checkCanary(vault, repositories.vaultKeys),
    listen: () => messaging.listen((ids) => cancelCheck.check(ids)),
    async closeConnections() {
      metrics?.current?.close();
      await audit.flush();
      store.close();
      await Promise.allSettled([messaging.close(), engine.close()]);
      await connections.close();
    },
  };
}

/**
 * Lines that cannot be written are kept in memory until the database is available again or the
 * worker closes.
 */
function createAuditLog({ kysely }: Database, closing: AbortSignal, logger: Logger): AuditLog {
  return new AuditLog({ insert: (entries) => untilAvailable(() => insertAuditEntries(kysely, entries), closing), logger });
}

function listServices({ concurrency, intakes, sources, ...parts }: Intakes & Maintenance & Resumption & Triggers): Service[] {
  return [
    concurrency,
    ...intakes,
    parts.sweeper,
    parts.fileSweeper,
    parts.housekeeper,
    parts.pruner,
    parts.statistics,
    parts.eventSender,
    parts.waitClock,
    parts.executionLimits,
    parts.scheduleClock,
    parts.registrationClock,
    sources.clock,
  ];
}

/** Loaded on the first request: the metrics library uses 15 MB per process. */
async function loadMetrics(
  gauges: Omit<WorkerGauges, 'packages'>,
  { packages: { length: loaded }, failures: { length: failed } }: NodePackages,
): Promise<WorkerMetrics> {
  const { WorkerMetrics } = await import('./metrics/worker-metrics.ts');
  return new WorkerMetrics({ ...gauges, packages: { loaded, failed } });
}
