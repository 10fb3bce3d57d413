import { type Config, requireServices } from '@sluice/config';
import {
  ApiKeyRepository,
  createDatabase,
  type Database,
  ExecutionList,
  ExecutionRepository,
  ExecutionStarter,
  ensureBootstrap,
  GraphRepository,
  ProjectRepository,
  RunDataRepository,
  WorkflowRepository,
} from '@sluice/db';
import { createLogger, type Logger } from '@sluice/logger';
import { closeRedis, createRedis, EndedWaiter, ExecutionQueue, RedisWatch, SignalChannel } from '@sluice/queue';
import { Authenticator } from './auth/authenticator.ts';
import { Delivery } from './executions/delivery.ts';
import { ExecutionService } from './executions/execution-service.ts';
import { ExecutionSignals } from './executions/execution-signals.ts';
import { RetryService } from './executions/retry-service.ts';
import { RunService } from './executions/run-service.ts';
import { Readiness } from './health/readiness.ts';
import type { Services } from './services.ts';
import { WorkflowService } from './workflows/workflow-service.ts';

/** Everything the API is made of, wired once. Connections open in the background and come back by themselves. */
export interface ApiContext {
  config: Config;
  logger: Logger;
  db: Database;
  authenticator: Authenticator;
  readiness: Readiness;
  services: Services;
  /** Ends every connection; last step of a shutdown. */
  close(): Promise<void>;
}

export interface ContextOverrides {
  logger?: Logger;
  /** Gets the first key when one had to be generated: it is stored nowhere. */
  showKey?: (key: string) => void;
}

/** @param overrides ports to replace: in `main.ts`, in tests. */
export function createContext(config: Config, overrides: ContextOverrides = {}): ApiContext {
  const { showKey = () => undefined } = overrides;
  const { databaseUrl, redisUrl } = requireServices(config);
  const logger = overrides.logger ?? createLogger({ name: 'api', level: config.logLevel, keyHeader: config.http.keyHeader });
  const db = createDatabase({ url: databaseUrl, poolSize: config.database.poolSize, applicationName: 'sluice-api' });
  const messaging = createMessaging(config, redisUrl, logger);
  return {
    config,
    logger,
    db,
    authenticator: new Authenticator(new ApiKeyRepository(db.kysely)),
    readiness: new Readiness({ db, redis: messaging.watch, prepare: () => bootstrap(db, config, showKey) }),
    services: createServices(config, { db, logger, ...messaging }),
    async close() {
      await messaging.close();
      await db.close();
    },
  };
}

async function bootstrap(db: Database, config: Config, showKey: (key: string) => void): Promise<void> {
  const { generatedKey } = await ensureBootstrap(db, config.secrets);
  if (generatedKey !== undefined) showKey(generatedKey);
}

function createMessaging(config: Config, redisUrl: string, logger: Logger) {
  const prefix = config.redis.queuePrefix;
  const producer = createRedis(redisUrl, 'producer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);
  const watch = new RedisWatch(producer);
  const queue = new ExecutionQueue(producer, prefix);
  const cancel = new SignalChannel(producer, prefix, 'cancel');
  const ended = new SignalChannel(producer, prefix, 'ended');
  const waiter = new EndedWaiter();
  ended.subscribe(subscriber, (ids) => waiter.notify(ids), logger);
  const close = async () => {
    watch.close();
    await queue.close();
    await Promise.all([closeRedis(producer), closeRedis(subscriber)]);
  };
  return {
    watch,
    waiter,
    close,
    delivery: new Delivery({ queue, redis: watch, logger }),
    signals: new ExecutionSignals({ cancel, ended, logger }),
  };
}

interface Parts extends Pick<ReturnType<typeof createMessaging>, 'waiter' | 'delivery' | 'signals'> {
  db: Database;
  logger: Logger;
}

function createServices(config: Config, { db, waiter, delivery, signals }: Parts): Services {
  const maxNodes = config.limits.workflowMaxNodes;
  const workflows = new WorkflowRepository(db.kysely);
  const graphs = new GraphRepository(db.kysely);
  const executions = new ExecutionRepository(db);
  const runData = new RunDataRepository(db);
  return {
    workflows: new WorkflowService({ workflows, projects: new ProjectRepository(db.kysely), signals, maxNodes }),
    executions: new ExecutionService({ executions, list: new ExecutionList(db), runData, workflows, signals }),
    retries: new RetryService({ executions, workflows, graphs, delivery }),
    runs: new RunService({
      workflows,
      graphs,
      executions,
      starter: new ExecutionStarter(db),
      runData,
      delivery,
      ended: waiter,
      maxNodes,
      runWaitMs: config.http.runWaitMs,
    }),
  };
}
