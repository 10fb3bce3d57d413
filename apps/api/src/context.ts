import { createBinaryStore } from '@sluice/binary-store';
import { type Config, requireEncryptionKeys, requireServices } from '@sluice/config';
import {
  type AuditLog,
  createDatabase,
  type Database,
  databaseEndpoints,
  ensureBootstrap,
  insertAuditEntries,
  processStart,
  readQueueState,
  VaultKeyRepository,
} from '@sluice/db';
import { OnDemand, traceFields } from '@sluice/domain';
import type { Endpoint } from '@sluice/http-client';
import { createLogger, type Logger } from '@sluice/logger';
import { type NodePackages, noNodePackages, UncaughtErrors } from '@sluice/node-packages';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, withPackageTypes } from '@sluice/nodes-base/credentials';
import { redisEndpoints } from '@sluice/queue';
import { checkCanary, DerivedMac, KeyRing, MessageSeal, ResumeTokens, Vault } from '@sluice/vault';
import type { Authenticator } from './auth/authenticator.ts';
import type { KeyUsage } from './auth/key-usage.ts';
import { createAccess } from './context/create-access.ts';
import { createCredentials } from './context/create-credentials.ts';
import { createInbound, type Inbound } from './context/create-inbound.ts';
import { createLists } from './context/create-lists.ts';
import { createMessaging } from './context/create-messaging.ts';
import { createNodeInvocation } from './context/create-node-invocation.ts';
import { createRepositories } from './context/create-repositories.ts';
import { createServices } from './context/create-services.ts';
import { dashboardFolder } from './dashboard/dashboard-router.ts';
import { Readiness } from './health/readiness.ts';
import type { InFlightRequests } from './http/logs/access-log.ts';
import type { RefusalLog } from './http/logs/refusal-log.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { ApiMetrics } from './metrics/api-metrics.ts';
import type { MetricsOnDemand } from './metrics/observe-requests.ts';
import { PageCursors } from './paging/page-cursors.ts';
import { EngineLoader } from './triggers/engine-loader.ts';

/** Services that handlers call. They do not depend on HTTP. */
export type Services = ReturnType<typeof createServices> & ReturnType<typeof createCredentials>['services'];

/** Wires all parts of the API. Connections open in the background and reconnect by themselves. */
export interface ApiContext extends Inbound {
  config: Config;
  logger: Logger;
  inFlight: InFlightRequests | undefined;
  db: Database;
  authenticator: Authenticator;
  usage: KeyUsage;
  audit: AuditLog;
  refusals: RefusalLog;
  readiness: Readiness;
  limits: RateLimits;
  services: Services;
  cursors: PageCursors;
  /**
   * Endpoints of the service, which nodes may not connect to. Includes the ports of this process
   * once it listens.
   */
  ownEndpoints: Set<Endpoint>;
  /** `null` if metrics are off. */
  metrics: MetricsOnDemand | null;
  /** Folder of the built dashboard. */
  dashboardFolder: string;
  /** Closes all connections; the last step of a shutdown. */
  close(): Promise<void>;
}

export interface ContextOverrides {
  logger?: Logger;
  /** Receives uncaught errors in node code. Default: they are dropped. */
  uncaughtErrors?: UncaughtErrors;
  /**
   * Records the requests in flight, for the watchdog's log line about a stuck event loop; default:
   * not recorded.
   */
  inFlight?: InFlightRequests;
  /** Receives the first API key if one was generated. Its plain text is not stored. */
  showKey?: (key: string) => void;
  /** Installed node packages. Default: none. */
  nodePackages?: NodePackages;
  /** Replaces the built-in credential types. */
  credentialTypes?: readonly CredentialType[];
  /** Default: the folder in the package `@sluice/dashboard`. */
  dashboardFolder?: string;
}

export function createApiLogger({ logLevel, http }: Config): Logger {
  return createLogger({ name: 'api', level: logLevel, keyHeader: http.keyHeader, context: traceFields });
}

/** @param overrides ports to replace: in `main.ts`, in tests. */
export function createContext(config: Config, overrides: ContextOverrides = {}): ApiContext {
  const { showKey = () => undefined, nodePackages = noNodePackages, credentialTypes = baseCredentialTypes } = overrides;
  const { databaseUrl, redisUrl } = requireServices(config);
  const keys = KeyRing.parse(requireEncryptionKeys(config));
  const vault = new Vault(keys);
  const logger = overrides.logger ?? createApiLogger(config);
  const db = createDatabase({ url: databaseUrl, poolSize: config.database.poolSize, applicationName: 'sluice-api' });
  const store = createBinaryStore(config.binary.store, config.secrets.s3);
  const { uncaughtErrors = new UncaughtErrors(logger) } = overrides;
  const repositories = createRepositories(db, config.limits);
  const { lists, close: closeLists } = createLists(config, db, logger);
  const ownEndpoints = new Set<Endpoint>([
    ...config.outgoing.ownEndpoints,
    ...databaseEndpoints(databaseUrl),
    ...databaseEndpoints(config.database.readUrl ?? databaseUrl),
    ...redisEndpoints(redisUrl),
  ]);
  const shared = { repositories, redisUrl, ownEndpoints, vault, store, logger };
  const messaging = createMessaging(config, { ...shared, seal: new MessageSeal(keys) });
  const access = createAccess(config, { ...shared, ...messaging, db });
  const { authenticator, usage, audit, refusals, accessSignals } = access;
  const engineLoader = new EngineLoader(config.sandbox, nodePackages);
  const { nodeTypes } = nodePackages;
  const types = withPackageTypes(credentialTypes, nodePackages.credentialTypes);
  const credentials = createCredentials(config, { ...shared, audit, credentialTypes: types, nodeTypes });
  const { opener, ports } = credentials;
  const nodeInvocation = createNodeInvocation(config, {
    ...shared,
    engineLoader,
    opener,
    ports,
    audit,
    access,
    uncaughtErrors,
  });
  const metrics = config.metrics ? new OnDemand(() => loadMetrics(db, nodePackages)) : null;
  return {
    config,
    logger,
    inFlight: overrides.inFlight,
    db,
    authenticator,
    usage,
    audit,
    refusals,
    ownEndpoints,
    readiness: new Readiness({
      db,
      redisWatch: messaging.redisWatch,
      prepare: () => bootstrap({ db, vault }, config, showKey),
    }),
    limits: messaging.limits,
    cursors: new PageCursors(new DerivedMac(keys, 'sluice page cursors v1')),
    dashboardFolder: overrides.dashboardFolder ?? dashboardFolder(),
    metrics,
    ...createInbound(config, { ...shared, ...messaging, ...nodeInvocation, tokens: new ResumeTokens(keys) }),
    services: {
      ...createServices(config, {
        ...shared,
        ...messaging,
        ...nodeInvocation,
        lists,
        accessSignals,
        engineLoader,
        nodePackages,
        credentialHealth: credentials.health,
        guard: ports.http.guard,
      }),
      ...credentials.services,
    },
    async close() {
      metrics?.current?.close();
      await Promise.all([access.close(), credentials.close(), engineLoader.close()]);
      await messaging.close();
      store.close();
      await closeLists();
      await db.close();
    },
  };
}

async function bootstrap(
  { db, vault }: { db: Database; vault: Vault },
  config: Config,
  showKey: (key: string) => void,
): Promise<void> {
  await checkCanary(vault, new VaultKeyRepository(db.kysely));
  await insertAuditEntries(db.kysely, [processStart('api', config.changedSettings)]);
  const { generatedKey } = await ensureBootstrap(db.kysely, config.secrets);
  if (generatedKey !== undefined) showKey(generatedKey);
}

async function loadMetrics(
  db: Database,
  { packages: { length: loaded }, failures: { length: failed } }: NodePackages,
): Promise<ApiMetrics> {
  const { ApiMetrics } = await import('./metrics/api-metrics.ts');
  return new ApiMetrics({
    readQueueState: () => readQueueState(db),
    waitingStatements: () => db.waiting,
    packages: { loaded, failed },
  });
}
