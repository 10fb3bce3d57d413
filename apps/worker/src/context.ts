import { randomBytes } from 'node:crypto';
import { type Config, requireEncryptionKeys, requireServices } from '@sluice/config';
import {
  CredentialUseRepository,
  createDatabase,
  type Database,
  ExecutionMoves,
  ExecutionRecorder,
  GraphRepository,
  RunDataRepository,
  VaultKeyRepository,
  WorkerRepository,
} from '@sluice/db';
import type { EnginePorts } from '@sluice/engine';
import { createHttpClient } from '@sluice/http-client';
import { createLogger, type Logger } from '@sluice/logger';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, baseNodeTypes, createCredentialTypeRegistry, createNodeTypeRegistry } from '@sluice/nodes-base';
import {
  closeRedis,
  createRedis,
  ExecutionConsumer,
  ExecutionQueue,
  ProgressChannel,
  RedisWatch,
  SignalChannel,
} from '@sluice/queue';
import { createSandbox } from '@sluice/sandbox';
import { checkCanary, KeyRing, Vault } from '@sluice/vault';
import { CredentialOpener } from './credentials/credential-opener.ts';
import { ExecutionRunner } from './execution-runner.ts';
import { GraphCache } from './graph-cache.ts';
import { HeldExecutions } from './held-executions.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { ProgressReporter } from './progress-reporter.ts';
import { Sweeper } from './sweeper.ts';

/** Everything a worker is made of, wired once. Nothing in it has started yet, but connections open in the background. */
export interface WorkerContext {
  config: Config;
  logger: Logger;
  db: Database;
  redisWatch: RedisWatch;
  held: HeldExecutions;
  lease: LeaseKeeper;
  sweeper: Sweeper;
  consumer: ExecutionConsumer;
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

/** @param overrides ports to replace in tests. */
export function createContext(
  config: Config,
  overrides: { engine?: Partial<EnginePorts>; credentialTypes?: readonly CredentialType[]; logger?: Logger } = {},
): WorkerContext {
  const { databaseUrl, redisUrl } = requireServices(config);
  const vault = new Vault(KeyRing.parse(requireEncryptionKeys(config)));
  const { concurrency, leaseMs } = config.worker;
  const prefix = config.redis.queuePrefix;
  const logger = overrides.logger ?? createLogger({ name: 'worker', level: config.logLevel });

  const db = createDatabase({ url: databaseUrl, poolSize: config.database.poolSize, applicationName: 'sluice-worker' });
  // Its own connections: a busy pool must not cost the lease.
  const leaseDb = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'sluice-worker-lease' });
  const producer = createRedis(redisUrl, 'producer', logger);
  const blocking = createRedis(redisUrl, 'consumer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);

  const http = createHttpClient(config.outgoing);
  const sandbox = createSandbox(config.sandbox);
  const engine: EnginePorts = {
    nodeTypes: createNodeTypeRegistry(baseNodeTypes),
    sandbox,
    http,
    now: Date.now,
    ...overrides.engine,
  };

  const held = new HeldExecutions();
  const workers = new WorkerRepository(leaseDb);
  const lease = new LeaseKeeper(workers, held, { leaseMs, concurrency, logger });
  const queue = new ExecutionQueue(producer, prefix);
  const cancel = new SignalChannel(producer, prefix, 'cancel');
  const ended = new SignalChannel(producer, prefix, 'ended');
  const watch = new SignalChannel(producer, prefix, 'watch');
  const progress = new ProgressReporter(new ProgressChannel(producer, prefix), logger);
  const redisWatch = new RedisWatch(producer);
  const closing = new AbortController();
  const runner = new ExecutionRunner({
    engine,
    recorder: new ExecutionRecorder(db, () => lease.workerId),
    runData: new RunDataRepository(db),
    graphs: new GraphCache(new GraphRepository(db.kysely)),
    credentials: new CredentialOpener({
      credentials: new CredentialUseRepository(db.kysely),
      vault,
      types: createCredentialTypeRegistry(overrides.credentialTypes ?? baseCredentialTypes),
      ports: { http: engine.http, now: Date.now, randomBytes },
    }),
    held,
    ended,
    progress,
    limits: config.limits,
    timezone: config.timezone,
    logger,
  });
  const consumer = new ExecutionConsumer((job) => runner.run(job, closing.signal), {
    redis: blocking,
    prefix,
    concurrency,
    logger,
  });

  return {
    config,
    logger,
    db,
    redisWatch,
    held,
    lease,
    sweeper: new Sweeper({ workers, moves: new ExecutionMoves(db), queue, cancel, ended, lease, logger }),
    consumer,
    cancel,
    closing,
    checkKeys: () => checkCanary(vault, new VaultKeyRepository(db.kysely)),
    listen() {
      cancel.subscribe(subscriber, (ids) => held.abort(ids, 'canceled'), logger);
      watch.subscribe(subscriber, (ids) => progress.watch(ids), logger);
    },
    async closeConnections() {
      redisWatch.close();
      await Promise.allSettled([queue.close(), http.close(), sandbox.close()]);
      await Promise.allSettled([producer, blocking, subscriber].map(closeRedis));
      await Promise.allSettled([db.close(), leaseDb.close()]);
    },
  };
}
