import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import { ChunkChannel, ExecutionQueue, ProgressChannel, RedisWatch, SignalChannel } from '@sluice/queue';
import type { HeldExecutions } from '../held-executions.ts';
import { ProgressReporter } from '../progress-reporter.ts';
import type { Connections } from './create-connections.ts';

/** What goes over Redis, but for the jobs that come in. */
export interface Messaging {
  queue: ExecutionQueue;
  cancel: SignalChannel;
  ended: SignalChannel;
  answered: SignalChannel;
  chunks: ChunkChannel;
  progress: ProgressReporter;
  redisWatch: RedisWatch;
  /** Aborts what is canceled of `held`, and notes who follows an execution, from now on. */
  listen(held: Pick<HeldExecutions, 'abort'>): void;
  /** Calls back with ids of executions that have ended, from now on. */
  subscribeEnds(onIds: (ids: readonly string[]) => void): void;
  /** The connections are left open. */
  close(): Promise<void>;
}

export function createMessaging(
  { redis: { queuePrefix: prefix } }: Config,
  { producer, subscriber }: Pick<Connections, 'producer' | 'subscriber'>,
  logger: Logger,
): Messaging {
  const cancel = new SignalChannel(producer, prefix, 'cancel');
  const ended = new SignalChannel(producer, prefix, 'ended');
  const watch = new SignalChannel(producer, prefix, 'watch');
  const queue = new ExecutionQueue(producer, prefix);
  const redisWatch = new RedisWatch(producer);
  const progress = new ProgressReporter(new ProgressChannel(producer, prefix), logger);
  return {
    queue,
    cancel,
    ended,
    answered: new SignalChannel(producer, prefix, 'answered'),
    chunks: new ChunkChannel(producer, prefix),
    progress,
    redisWatch,
    listen(held) {
      cancel.subscribe(subscriber, (ids) => held.abort(ids, 'canceled'), logger);
      watch.subscribe(subscriber, (ids) => progress.watch(ids), logger);
    },
    subscribeEnds: (onIds) => ended.subscribe(subscriber, onIds, logger),
    async close() {
      redisWatch.close();
      await queue.close();
    },
  };
}
