import { type Config, requireEncryptionKeys, requireServices } from '@sluice/config';
import {
  AccessChangeRepository,
  AnnotationRepository,
  ApiKeyRepository,
  CredentialRepository,
  CredentialUseRepository,
  createDatabase,
  createQueueGauge,
  currentSnapshot,
  type Database,
  ExecutionList,
  ExecutionMoves,
  ExecutionProgressReader,
  ExecutionRepository,
  ExecutionStarter,
  ensureBootstrap,
  GraphRepository,
  insertAuditEntries,
  ProjectRepository,
  RunDataRepository,
  SnapshotCache,
  TagRepository,
  UserRepository,
  VaultKeyRepository,
  WorkflowRepository,
  WorkflowVersionRepository,
} from '@sluice/db';
import { createLogger, type Logger } from '@sluice/logger';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, createCredentialTypeRegistry } from '@sluice/nodes-base/credentials';
import {
  closeRedis,
  createRedis,
  EndedWaiter,
  ExecutionQueue,
  ProgressChannel,
  RedisWatch,
  SignalChannel,
} from '@sluice/queue';
import { checkCanary, KeyRing, Vault } from '@sluice/vault';
import { ApiKeyService } from './api-keys/api-key-service.ts';
import { AuditLog } from './audit/audit-log.ts';
import { RefusalLog } from './audit/refusal-log.ts';
import { AccessSignals } from './auth/access-signals.ts';
import { AccessWatch } from './auth/access-watch.ts';
import { Authenticator } from './auth/authenticator.ts';
import { KeyUsage } from './auth/key-usage.ts';
import { CredentialService } from './credentials/credential-service.ts';
import { CredentialTester } from './credentials/credential-tester.ts';
import { CredentialTypes } from './credentials/credential-types.ts';
import { outgoingPorts } from './credentials/outgoing-ports.ts';
import { EventService } from './events/event-service.ts';
import { ExecutionFeed } from './events/execution-feed.ts';
import { StreamSlots } from './events/stream-slots.ts';
import { Delivery } from './executions/delivery.ts';
import { ExecutionService } from './executions/execution-service.ts';
import { ExecutionSignals } from './executions/execution-signals.ts';
import { RetryService } from './executions/retry-service.ts';
import { RunService } from './executions/run-service.ts';
import { Readiness } from './health/readiness.ts';
import { createRateLimits } from './limits/create-rate-limits.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { loadNodeTypes } from './node-types/load-node-types.ts';
import { NodeTypeService } from './node-types/node-type-service.ts';
import { ProjectService } from './projects/project-service.ts';
import type { Services } from './services.ts';
import { TagService } from './tags/tag-service.ts';
import { UserService } from './users/user-service.ts';
import { TransferService } from './workflows/transfer-service.ts';
import { WorkflowService } from './workflows/workflow-service.ts';
import { WorkflowVersionService } from './workflows/workflow-version-service.ts';

/** Everything the API is made of, wired once. Connections open in the background and come back by themselves. */
export interface ApiContext {
  config: Config;
  logger: Logger;
  db: Database;
  authenticator: Authenticator;
  usage: KeyUsage;
  audit: AuditLog;
  refusals: RefusalLog;
  readiness: Readiness;
  limits: RateLimits;
  services: Services;
  /** Ends every connection; last step of a shutdown. */
  close(): Promise<void>;
}

export interface ContextOverrides {
  logger?: Logger;
  /** Gets the first key when one had to be generated: it is stored nowhere. */
  showKey?: (key: string) => void;
  /** In place of those that we ship. */
  credentialTypes?: readonly CredentialType[];
  /** Milliseconds that a test of a credential may take; default 10,000. */
  credentialTestTimeoutMs?: number;
}

/** @param overrides ports to replace: in `main.ts`, in tests. */
export function createContext(config: Config, overrides: ContextOverrides = {}): ApiContext {
  const { showKey = () => undefined } = overrides;
  const { databaseUrl, redisUrl } = requireServices(config);
  const vault = new Vault(KeyRing.parse(requireEncryptionKeys(config)));
  const logger = overrides.logger ?? createLogger({ name: 'api', level: config.logLevel, keyHeader: config.http.keyHeader });
  const db = createDatabase({ url: databaseUrl, poolSize: config.database.poolSize, applicationName: 'sluice-api' });
  const messaging = createMessaging(config, { db, redisUrl, logger });
  const access = createAccess(config, { db, logger, ...messaging });
  const auditing = createAuditing(db, logger);
  const credentials = createCredentials(config, { db, vault, overrides });
  return {
    config,
    logger,
    db,
    authenticator: access.authenticator,
    usage: access.usage,
    audit: auditing.audit,
    refusals: auditing.refusals,
    readiness: new Readiness({ db, redis: messaging.watch, prepare: () => bootstrap({ db, vault }, config, showKey) }),
    limits: messaging.limits,
    services: {
      ...createServices(config, { db, logger, ...messaging, accessSignals: access.signals }),
      ...credentials.services,
    },
    async close() {
      await Promise.all([access.close(), auditing.close(), credentials.close()]);
      await messaging.close();
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
  const { generatedKey } = await ensureBootstrap(db, config.secrets);
  if (generatedKey !== undefined) showKey(generatedKey);
}

interface MessagingParts {
  db: Database;
  redisUrl: string;
  logger: Logger;
}

function createMessaging(config: Config, { db, redisUrl, logger }: MessagingParts) {
  const prefix = config.redis.queuePrefix;
  const producer = createRedis(redisUrl, 'producer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);
  const watch = new RedisWatch(producer);
  const queue = new ExecutionQueue(producer, prefix);
  const cancel = new SignalChannel(producer, prefix, 'cancel');
  const ended = new SignalChannel(producer, prefix, 'ended');
  const accessChannel = new SignalChannel(producer, prefix, 'access');
  const waiter = new EndedWaiter();
  const progress = new ExecutionProgressReader(db);
  const feed = new ExecutionFeed({ progress, watch: new SignalChannel(producer, prefix, 'watch'), logger });
  ended.subscribe(subscriber, (ids) => waiter.notify(ids), logger);
  ended.subscribe(subscriber, (ids) => feed.notify(ids), logger);
  new ProgressChannel(producer, prefix).subscribe(subscriber, (message) => feed.receive(message), logger);
  const close = async () => {
    watch.close();
    await queue.close();
    await Promise.all([closeRedis(producer), closeRedis(subscriber)]);
  };
  return {
    watch,
    waiter,
    feed,
    progress,
    close,
    accessChannel,
    limits: createRateLimits(config, { redis: producer, watch, logger }),
    onAccessChange: (forget: (userIds: string[]) => void) => accessChannel.subscribe(subscriber, forget, logger),
    delivery: new Delivery({ queue, redis: watch, logger }),
    signals: new ExecutionSignals({ cancel, ended, logger }),
  };
}

type Messaging = ReturnType<typeof createMessaging>;

interface AccessParts extends Pick<Messaging, 'accessChannel' | 'onAccessChange'> {
  db: Database;
  logger: Logger;
}

/** Who may do what: kept in memory, and forgotten when it changes, here or elsewhere. */
function createAccess({ license }: Config, { db, logger, accessChannel, onAccessChange }: AccessParts) {
  const keys = new ApiKeyRepository(db.kysely);
  const watch = new AccessWatch({ changes: new AccessChangeRepository(db.kysely), logger });
  const usage = new KeyUsage({ keys, logger });
  const authenticator = new Authenticator({ keys, watch, license });
  const forget = (userIds: readonly string[]) => authenticator.forget(userIds);
  watch.start(forget);
  onAccessChange(forget);
  const close = async () => {
    watch.close();
    await usage.flush();
  };
  return { authenticator, usage, close, signals: new AccessSignals({ forget, channel: accessChannel, logger }) };
}

function createAuditing(db: Database, logger: Logger) {
  const audit = new AuditLog({ insert: (entries) => insertAuditEntries(db.kysely, entries), logger });
  const refusals = new RefusalLog((entry) => audit.record(entry));
  const close = async () => {
    refusals.flush();
    await audit.flush();
  };
  return { audit, refusals, close };
}

interface CredentialParts {
  db: Database;
  vault: Vault;
  overrides: ContextOverrides;
}

function createCredentials({ license, outgoing }: Config, { db, vault, overrides }: CredentialParts) {
  const { credentialTypes = baseCredentialTypes, credentialTestTimeoutMs: timeoutMs = 10_000 } = overrides;
  const credentials = new CredentialRepository(db.kysely);
  const types = new CredentialTypes(createCredentialTypeRegistry(credentialTypes));
  const { ports, close } = outgoingPorts(outgoing);
  const renewals = new CredentialUseRepository(db.kysely);
  const services: Pick<Services, 'credentials' | 'credentialTests'> = {
    credentials: new CredentialService({ credentials, projects: new ProjectRepository(db.kysely), types, vault, license }),
    credentialTests: new CredentialTester({ credentials, renewals, types, vault, ports, timeoutMs }),
  };
  return { services, close };
}

interface Parts extends Pick<Messaging, 'waiter' | 'feed' | 'progress' | 'delivery' | 'signals'> {
  db: Database;
  logger: Logger;
  accessSignals: AccessSignals;
}

function createServices(
  config: Config,
  { db, logger, waiter, feed, progress, delivery, signals, accessSignals }: Parts,
): Omit<Services, 'credentials' | 'credentialTests'> {
  const maxNodes = config.limits.workflowMaxNodes;
  const workflows = new WorkflowRepository(db.kysely);
  const graphs = new GraphRepository(db.kysely);
  const queue = createQueueGauge(db, config.limits.queuedMaxPerProject);
  const executions = new ExecutionRepository(db, { queue });
  const runData = new RunDataRepository(db);
  const projects = new ProjectRepository(db.kysely);
  const users = new UserRepository(db.kysely);
  const tags = new TagRepository(db.kysely);
  return {
    apiKeys: new ApiKeyService({ keys: new ApiKeyRepository(db.kysely), signals: accessSignals, license: config.license }),
    users: new UserService({ users, projects, signals: accessSignals }),
    projects: new ProjectService({ projects, users, signals: accessSignals }),
    tags: new TagService(tags),
    nodeTypes: new NodeTypeService(loadNodeTypes),
    workflows: new WorkflowService({ workflows, projects, tags, signals, maxNodes }),
    workflowVersions: new WorkflowVersionService({ workflows, versions: new WorkflowVersionRepository(db.kysely) }),
    transfers: new TransferService({ workflows, projects, moves: new ExecutionMoves(db), license: config.license, logger }),
    executions: new ExecutionService({
      executions,
      list: new ExecutionList(db),
      pages: new SnapshotCache(() => currentSnapshot(db)),
      runData,
      annotations: new AnnotationRepository(db.kysely),
      workflows,
      signals,
    }),
    events: new EventService({ executions, progress, feed, slots: new StreamSlots(config.eventStreams) }),
    retries: new RetryService({ executions, workflows, graphs, delivery }),
    runs: new RunService({
      workflows,
      graphs,
      executions,
      starter: new ExecutionStarter(db, { queue }),
      runData,
      delivery,
      ended: waiter,
      maxNodes,
      runWaitMs: config.http.runWaitMs,
    }),
  };
}
