import { randomBytes } from 'node:crypto';
import { createBinaryStore } from '@sluice/binary-store';
import { type Config, readAllowedEnvironment, requireEncryptionKeys, requireServices } from '@sluice/config';
import {
  AuditLog,
  BinaryRepository,
  CallableWorkflows,
  CalledExecutions,
  CredentialUseRepository,
  createDatabase,
  createQueueGauge,
  type Database,
  DiscardedExecutions,
  ErrorStarts,
  ExecutionMoves,
  ExecutionRecorder,
  ExecutionWaits,
  ExpiredRows,
  GraphCache,
  GraphRepository,
  insertAuditEntries,
  RegistrationRepository,
  RunDataRepository,
  ScheduleTicks,
  SeenHistoryRepository,
  StaticDataRepository,
  VariableRepository,
  VaultKeyRepository,
  WebhookAnswers,
  WorkerRepository,
} from '@sluice/db';
import { OnDemand } from '@sluice/domain';
import type { EnginePorts } from '@sluice/engine';
import { createGuardedConnect, createHttpClient } from '@sluice/http-client';
import { createLogger, type Logger } from '@sluice/logger';
import { foreignTypeNames, type NodePackages, noNodePackages, packageOfType, StrayErrors } from '@sluice/node-packages';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, baseNodeTypes, createCredentialTypeRegistry, createNodeTypeRegistry } from '@sluice/nodes-base';
import {
  ChunkChannel,
  closeRedis,
  createRedis,
  ExecutionConsumer,
  ExecutionQueue,
  ProgressChannel,
  RedisWatch,
  runExecution,
  SignalChannel,
} from '@sluice/queue';
import { createSandbox } from '@sluice/sandbox';
import { checkCanary, KeyRing, ResumeTokens, Vault } from '@sluice/vault';
import { ExecutionFiles } from './binary/execution-files.ts';
import { FileSweeper } from './binary/file-sweeper.ts';
import { CallAnswers } from './call-answers.ts';
import { CallStream } from './call-stream.ts';
import { CredentialOpener } from './credentials/credential-opener.ts';
import { ExecutionRunner } from './execution-runner.ts';
import { AllowedFolder } from './files/allowed-folder.ts';
import { FollowUps } from './follow-ups.ts';
import { HeldExecutions } from './held-executions.ts';
import { Housekeeper } from './housekeeper.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import { ProgressReporter } from './progress-reporter.ts';
import type { Service } from './services.ts';
import { Suspender } from './suspender.ts';
import { Sweeper } from './sweeper.ts';
import { createSources, type Sources } from './triggers/create-sources.ts';
import { RegistrationClock } from './triggers/registration-clock.ts';
import { ScheduleClock } from './triggers/schedule-clock.ts';
import { untilAvailable } from './until-available.ts';
import { VariableCache } from './variable-cache.ts';
import { WaitClock } from './wait-clock.ts';
import { WorkflowCalls, type WorkflowCallsOptions } from './workflow-calls.ts';
import { WorkflowMemory } from './workflow-memory.ts';

/** Everything a worker is made of, wired once. Nothing in it has started yet, but connections open in the background. */
export interface WorkerContext {
  config: Config;
  logger: Logger;
  db: Database;
  redisWatch: RedisWatch;
  held: HeldExecutions;
  lease: LeaseKeeper;
  /** What takes work or brings it, in the order in which it starts; the lease is there before it and after it. */
  services: readonly Service[];
  sweeper: Sweeper;
  /** Triggers that poll or listen. */
  sources: Sources;
  fileSweeper: FileSweeper;
  audit: AuditLog;
  /** Of the queue of all workers, and of that of each package of node types. */
  consumers: readonly ExecutionConsumer[];
  /** Null: nobody is to know. */
  metrics: OnDemand<WorkerMetrics> | null;
  cancel: SignalChannel;
  /** Makes waits for Postgres or Redis end: fired when the worker closes. */
  closing: AbortController;
  /** Throws when the configured master keys are not those of the database. */
  checkKeys(): Promise<void>;
  /** Listens for signals from now on. */
  listen(): void;
  /** Ends connections, threads and pools; last step of a shutdown. */
  closeConnections(): Promise<void>;
}

export interface WorkerOverrides {
  engine?: Partial<EnginePorts>;
  /** In place of those that we ship. */
  credentialTypes?: readonly CredentialType[];
  /** What packages of others bring; default: nothing. */
  nodePackages?: NodePackages;
  logger?: Logger;
  /** Takes errors that code of nodes lets go; default: one to which nobody listens. */
  strays?: StrayErrors;
}

export function createWorkerLogger({ logLevel }: Config): Logger {
  return createLogger({ name: 'worker', level: logLevel });
}

/** @param overrides ports to replace in tests. */
export function createContext(config: Config, overrides: WorkerOverrides = {}): WorkerContext {
  const { nodePackages = noNodePackages } = overrides;
  const { databaseUrl, redisUrl } = requireServices(config);
  const keys = KeyRing.parse(requireEncryptionKeys(config));
  const vault = new Vault(keys);
  const { concurrency, leaseMs } = config.worker;
  const prefix = config.redis.queuePrefix;
  const logger = overrides.logger ?? createWorkerLogger(config);

  const db = createDatabase({ url: databaseUrl, poolSize: config.database.poolSize, applicationName: 'sluice-worker' });
  // Its own connections: a busy pool must not cost the lease.
  const leaseDb = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'sluice-worker-lease' });
  const producer = createRedis(redisUrl, 'producer', logger);
  const blocking = createRedis(redisUrl, 'consumer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);

  const http = createHttpClient(config.outgoing);
  const sandbox = createSandbox(config.sandbox);
  const { strays = new StrayErrors(logger) } = overrides;
  const engine: EnginePorts = {
    nodeTypes: createNodeTypeRegistry(baseNodeTypes, nodePackages.nodeTypes),
    sandbox,
    http,
    connect: createGuardedConnect(config.outgoing),
    ...machineFiles(config),
    now: Date.now,
    strays,
    ...overrides.engine,
  };

  const nodeTypes = foreignTypeNames(nodePackages.nodeTypes);
  const packages = [...new Set([...nodePackages.nodeTypes.keys()].map(packageOfType))];
  const held = new HeldExecutions();
  const metrics = config.metrics ? new OnDemand(() => loadMetrics(held, () => sources.clock.listeners, nodePackages)) : null;
  const workers = new WorkerRepository(leaseDb);
  const lease = new LeaseKeeper(workers, held, { leaseMs, concurrency, nodeTypes, logger });
  const queue = new ExecutionQueue(producer, prefix);
  const cancel = new SignalChannel(producer, prefix, 'cancel');
  const ended = new SignalChannel(producer, prefix, 'ended');
  const watch = new SignalChannel(producer, prefix, 'watch');
  const progress = new ProgressReporter(new ProgressChannel(producer, prefix), logger);
  const redisWatch = new RedisWatch(producer);
  const closing = new AbortController();
  // What cannot be written now waits in memory until the database is back, or the worker closes.
  const audit = new AuditLog({
    insert: (entries) => untilAvailable(() => insertAuditEntries(db.kysely, entries), closing.signal),
    logger,
  });
  const binaries = new BinaryRepository(db.kysely);
  const store = createBinaryStore(config.binary.store, config.secrets.s3);
  const graphs = new GraphCache(new GraphRepository(db.kysely));
  const called = new CalledExecutions(db);
  const waits = new ExecutionWaits(db);
  const { publicUrl } = config.http;
  const errors = new ErrorStarts(db.kysely, (id) => (publicUrl === null ? null : `${publicUrl}/api/v1/executions/${id}`));
  const followUps = new FollowUps({ called, errors, queue, cancel, ended, logger });
  const waitClock = new WaitClock({ waits, followUps, logger });
  const queueGauge = createQueueGauge(db, config.limits.queuedMaxPerProject);
  const calls: WorkflowCallsOptions = {
    workflows: new CallableWorkflows(db.kysely),
    called,
    graphs,
    stored: new GraphRepository(db.kysely),
    queue: queueGauge,
    followUps,
  };
  const chunks = new ChunkChannel(producer, prefix);
  const credentials = new CredentialOpener({
    credentials: new CredentialUseRepository(db.kysely),
    vault,
    types: createCredentialTypeRegistry([
      ...(overrides.credentialTypes ?? baseCredentialTypes),
      ...nodePackages.credentialTypes,
    ]),
    ports: { http: engine.http, now: Date.now, randomBytes },
    audit,
  });
  const variables = new VariableCache(new VariableRepository(db.kysely));
  const env = readAllowedEnvironment(config.expressions.envAllow);
  const runner = new ExecutionRunner({
    engine,
    recorder: new ExecutionRecorder(db, () => lease.workerId, nodeTypes),
    queue,
    packages,
    runData: new RunDataRepository(db.kysely),
    graphs,
    suspender: new Suspender({
      waits,
      called,
      tokens: new ResumeTokens(keys),
      workerId: () => lease.workerId,
      publicUrl,
      maxResultBytes: config.limits.executionMaxBytes,
      clock: waitClock,
    }),
    callAnswers: new CallAnswers({
      answers: new WebhookAnswers(db),
      waits,
      answered: new SignalChannel(producer, prefix, 'answered'),
      maxBytes: config.limits.nodeRunMaxBytes,
      logger,
    }),
    streamOf: (executionId, scrubber) =>
      new CallStream({
        publish: (parts) => chunks.publish(executionId, parts),
        scrub: (json) => scrubber.scrubJson(json),
        maxBytes: config.limits.nodeRunMaxBytes,
        logger,
      }),
    followUps,
    workflowsOf: (claimed, scrubber) => new WorkflowCalls(calls, claimed, scrubber),
    credentials,
    memory: new WorkflowMemory({
      staticData: new StaticDataRepository(db.kysely),
      history: new SeenHistoryRepository(db.kysely),
      workerId: () => lease.workerId,
    }),
    filesOf: (executionId, signal) => new ExecutionFiles({ binaries, store, caps: config.binary }, executionId, signal),
    held,
    ended,
    progress,
    metrics,
    limits: config.limits,
    variables,
    env,
    timezone: config.timezone,
    logger,
  });
  const queues = [runExecution.queue, ...packages.map(runExecution.queueOf)];
  const consumers = queues.map(
    (name) =>
      new ExecutionConsumer((job) => runner.run(job, closing.signal), {
        redis: blocking,
        prefix,
        queue: name,
        concurrency,
        logger,
      }),
  );

  const sources = createSources({
    engine,
    graphs,
    variables,
    credentials,
    store,
    caps: config.binary,
    env,
    timezone: config.timezone,
    db,
    leaseDb,
    queue: queueGauge,
    strays,
    enqueue: (started) => followUps.enqueue(started),
    subscribeEnds: (onIds) => ended.subscribe(subscriber, onIds, logger),
    metrics: () => metrics?.made,
    max: { polls: config.sources.pollsMax, listeners: config.sources.listenersMax },
    nodeTypes,
    pollTimeoutMs: config.sources.pollTimeoutMs,
    maxBytes: config.limits.nodeRunMaxBytes,
    workerId: () => lease.workerId,
    logger,
  });

  const sweeper = new Sweeper({
    workers,
    moves: new ExecutionMoves(db.kysely),
    discarded: new DiscardedExecutions(db.kysely),
    followUps,
    queue,
    cancel,
    ended,
    lease,
    packages,
    logger,
  });
  const fileSweeper = new FileSweeper({ binaries, store, pauseMs: lease.beatMs, logger });
  const housekeeper = new Housekeeper({
    expired: new ExpiredRows(db.kysely),
    auditRetentionDays: config.audit.retentionDays,
    logger,
  });
  const scheduleClock = new ScheduleClock({
    ticks: new ScheduleTicks(db),
    queue: queueGauge,
    enqueue: (started) => followUps.enqueue(started),
    timezone: config.timezone,
    logger,
  });
  const registrationClock = new RegistrationClock({
    nodeTypes,
    registrations: new RegistrationRepository(db.kysely),
    engine,
    credentials,
    vars: () => variables.get(),
    env,
    logger,
  });

  return {
    config,
    logger,
    db,
    redisWatch,
    held,
    lease,
    services: [
      ...consumers.map(asService),
      sweeper,
      fileSweeper,
      housekeeper,
      waitClock,
      scheduleClock,
      registrationClock,
      sources.clock,
    ],
    sweeper,
    sources,
    fileSweeper,
    audit,
    consumers,
    metrics,
    cancel,
    closing,
    checkKeys: () => checkCanary(vault, new VaultKeyRepository(db.kysely)),
    listen() {
      cancel.subscribe(subscriber, (ids) => held.abort(ids, 'canceled'), logger);
      watch.subscribe(subscriber, (ids) => progress.watch(ids), logger);
    },
    async closeConnections() {
      await audit.flush();
      redisWatch.close();
      store.close();
      await Promise.allSettled([queue.close(), http.close(), sandbox.close()]);
      await Promise.allSettled([producer, blocking, subscriber].map(closeRedis));
      await Promise.allSettled([db.close(), leaseDb.close()]);
    },
  };
}

function asService(consumer: ExecutionConsumer): Service {
  return { start: () => consumer.start(), stop: () => consumer.close() };
}

/** When somebody first asks for them: the library that keeps them costs a process 15 MB. */
async function loadMetrics(
  held: HeldExecutions,
  listeners: () => number,
  { packages: { length: loaded }, failures: { length: failed } }: NodePackages,
): Promise<WorkerMetrics> {
  const { WorkerMetrics } = await import('./metrics/worker-metrics.ts');
  return new WorkerMetrics({ active: () => held.size, listeners, packages: { loaded, failed } });
}

/** The folders that the operator lets nodes use; never what Sluice itself keeps. */
function machineFiles({ filesFolders, home, binary }: Config): Pick<EnginePorts, 'files'> {
  if (filesFolders.length === 0) return {};
  const refused = [home, ...(binary.store.kind === 'disk' ? [binary.store.folder] : [])];
  return { files: new AllowedFolder(filesFolders, { refused }) };
}
