import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import {
  ChunkChannel,
  ProgressChannel,
  RedisWatch,
  SealedPublisher,
  SealedSubscriber,
  ShardedQueue,
  SignalChannel,
  type SignalName,
  subscribeSignal,
  watched,
} from '@sluice/queue';
import type { MessageSeal } from '@sluice/vault';
import { ProgressReporter } from '../client-messages/progress-reporter.ts';
import type { Connections } from './create-connections.ts';

/** Everything that a worker sends and receives over Redis, except incoming jobs. */
export function createMessaging(
  { redis: { queuePrefix: prefix, shards } }: Config,
  { producer, subscriber: redis }: Pick<Connections, 'producer' | 'subscriber'>,
  { seal, logger }: { seal: MessageSeal; logger: Logger },
) {
  const publisher = new SealedPublisher(producer, seal);
  const subscriber = new SealedSubscriber({ redis, seal, logger });
  const channelOf = (signal: SignalName) => new SignalChannel(publisher, prefix, signal);
  const queue = new ShardedQueue(producer, shards);
  const redisWatch = new RedisWatch(watched(producer, shards));
  const progress = new ProgressReporter(new ProgressChannel(publisher, prefix), logger);
  return {
    queue,
    cancel: channelOf('cancel'),
    ended: channelOf('ended'),
    responded: channelOf('responded'),
    chunks: new ChunkChannel(publisher, prefix),
    progress,
    redisWatch,
    /**
     * Subscribes to ids of executions that may have been canceled, and records which executions are
     * followed.
     */
    listen(onCancel: (ids: readonly string[]) => void) {
      subscribeSignal(subscriber, { prefix, signal: 'cancel' }, onCancel);
      subscribeSignal(subscriber, { prefix, signal: 'watch' }, (ids) => progress.watch(ids));
    },
    /** Subscribes to ids of executions that may have ended. */
    subscribeEnds: (onIds: (ids: readonly string[]) => void) => subscribeSignal(subscriber, { prefix, signal: 'ended' }, onIds),
    /** Does not close the connections. */
    async close() {
      redisWatch.close();
      await queue.close();
    },
  };
}
