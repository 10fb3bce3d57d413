import type { Config } from '@sluice/config';
import type { Endpoint } from '@sluice/http-client';
import type { Logger } from '@sluice/logger';
import {
  ChunkListener,
  closeRedis,
  createRedis,
  discoverEndpoints,
  ExecutionNotifier,
  RedisWatch,
  SealedPublisher,
  SealedSubscriber,
  SessionChannel,
  ShardedQueue,
  SignalChannel,
  type SignalName,
  subscribeProgress,
  subscribeSignal,
  watched,
} from '@sluice/queue';
import type { MessageSeal } from '@sluice/vault';
import { ExecutionChanges } from '../event-streams/execution-changes.ts';
import { ExecutionFeed } from '../event-streams/execution-feed.ts';
import { ExecutionEnqueuer } from '../executions/execution-enqueuer.ts';
import { ExecutionSignals } from '../executions/execution-signals.ts';
import { operationGroups } from '../limits/operation-group.ts';
import { createRateLimits } from '../limits/rate-limits.ts';
import { routes } from '../routes.ts';
import type { Repositories } from './create-repositories.ts';

interface MessagingParts {
  repositories: Pick<Repositories, 'executionChanges' | 'executionProgress' | 'storageQuotas'>;
  redisUrl: string;
  /** The client adds servers that it discovers. */
  ownEndpoints: Set<Endpoint>;
  seal: MessageSeal;
  logger: Logger;
}

/** Everything that the API sends and receives over Redis. */
export function createMessaging(config: Config, { repositories, redisUrl, ownEndpoints, seal, logger }: MessagingParts) {
  const prefix = config.redis.queuePrefix;
  const producer = createRedis(redisUrl, 'producer', logger);
  discoverEndpoints(producer, ({ host, port }) => ownEndpoints.add({ host, port }));
  const subscribing = createRedis(redisUrl, 'subscriber', logger);
  const publisher = new SealedPublisher(producer, seal);
  const subscriber = new SealedSubscriber({ redis: subscribing, seal, logger });
  const queue = new ShardedQueue(producer, config.redis.shards);
  const channelOf = (signal: SignalName) => new SignalChannel(publisher, prefix, signal);
  const accessChannel = channelOf('access');
  const ended = new ExecutionNotifier();
  const notifier = new ExecutionNotifier();
  const redisWatch = new RedisWatch(watched(producer, config.redis.shards), () => notifier.wakeAll());
  const feed = new ExecutionFeed({ executionProgress: repositories.executionProgress, watch: channelOf('watch'), logger });
  const changes = new ExecutionChanges({ executionChanges: repositories.executionChanges, logger });
  subscribeSignal(subscriber, { prefix, signal: 'ended' }, (ids, data) => {
    ended.notify(ids);
    notifier.notify(ids, data);
    feed.notify(ids);
    changes.notify(ids);
  });
  subscribeSignal(subscriber, { prefix, signal: 'responded' }, (ids, data) => notifier.notify(ids, data));
  subscribeProgress(subscriber, prefix, (message) => feed.receive(message));
  const chunks = new ChunkListener(subscriber, prefix);
  const sessions = new SessionChannel({ redis: producer, publisher, subscriber }, prefix);
  const close = async () => {
    redisWatch.close();
    await queue.close();
    await Promise.all([closeRedis(producer), closeRedis(subscribing)]);
  };
  return {
    redisWatch,
    ended,
    notifier,
    chunks,
    sessions,
    feed,
    changes,
    close,
    accessChannel,
    limits: createRateLimits(config, {
      redis: producer,
      redisWatch,
      storageQuotas: repositories.storageQuotas,
      logger,
      groupOf: operationGroups(routes),
    }),
    onAccessChange: (forget: (userIds: string[]) => void) => subscribeSignal(subscriber, { prefix, signal: 'access' }, forget),
    enqueuer: new ExecutionEnqueuer({ queue, redisWatch, logger }),
    signals: new ExecutionSignals({ cancel: channelOf('cancel'), ended: channelOf('ended'), logger }),
  };
}

export type Messaging = ReturnType<typeof createMessaging>;
