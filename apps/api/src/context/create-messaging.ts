import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import {
  ChunkListener,
  closeRedis,
  createRedis,
  EndedWaiter,
  ExecutionQueue,
  ProgressChannel,
  RedisWatch,
  SignalChannel,
} from '@sluice/queue';
import { ExecutionFeed } from '../events/execution-feed.ts';
import { Delivery } from '../executions/delivery.ts';
import { ExecutionSignals } from '../executions/execution-signals.ts';
import { createRateLimits } from '../limits/create-rate-limits.ts';
import type { Repositories } from './create-repositories.ts';

interface MessagingParts {
  repositories: Pick<Repositories, 'progress'>;
  redisUrl: string;
  logger: Logger;
}

/** What goes over Redis, and who listens. */
export function createMessaging(config: Config, { repositories, redisUrl, logger }: MessagingParts) {
  const prefix = config.redis.queuePrefix;
  const producer = createRedis(redisUrl, 'producer', logger);
  const subscriber = createRedis(redisUrl, 'subscriber', logger);
  const queue = new ExecutionQueue(producer, prefix);
  const cancel = new SignalChannel(producer, prefix, 'cancel');
  const ended = new SignalChannel(producer, prefix, 'ended');
  const answered = new SignalChannel(producer, prefix, 'answered');
  const accessChannel = new SignalChannel(producer, prefix, 'access');
  const followed = new SignalChannel(producer, prefix, 'watch');
  const waiter = new EndedWaiter();
  const answers = new EndedWaiter();
  const redisState = new RedisWatch(producer, () => answers.wakeAll());
  const feed = new ExecutionFeed({ progress: repositories.progress, watch: followed, logger });
  ended.subscribe(subscriber, (ids) => waiter.notify(ids), logger);
  for (const channel of [ended, answered]) channel.subscribe(subscriber, (ids, told) => answers.notify(ids, told), logger);
  ended.subscribe(subscriber, (ids) => feed.notify(ids), logger);
  new ProgressChannel(producer, prefix).subscribe(subscriber, (message) => feed.receive(message), logger);
  const chunks = new ChunkListener(subscriber, prefix, logger);
  const close = async () => {
    redisState.close();
    await queue.close();
    await Promise.all([closeRedis(producer), closeRedis(subscriber)]);
  };
  return {
    redisState,
    waiter,
    answers,
    chunks,
    feed,
    close,
    accessChannel,
    limits: createRateLimits(config, { redis: producer, state: redisState, logger }),
    onAccessChange: (forget: (userIds: string[]) => void) => accessChannel.subscribe(subscriber, forget, logger),
    delivery: new Delivery({ queue, redis: redisState, logger }),
    signals: new ExecutionSignals({ cancel, ended, logger }),
  };
}

export type Messaging = ReturnType<typeof createMessaging>;
