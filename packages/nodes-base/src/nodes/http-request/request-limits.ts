import type { ExecuteContext } from '@sluice/node-sdk';
import { numberParameter, wrongParameter } from '../../shared/parameters.ts';

const defaultTimeoutMs = 300_000;

/** Timeout for the whole response in milliseconds. */
export function timeoutParameter(context: ExecuteContext, itemIndex: number): number {
  const value = numberParameter(context, 'options.timeout', itemIndex, defaultTimeoutMs);
  if (value > 0) return value;
  throw wrongParameter('options.timeout', 'a number of milliseconds above 0', value, itemIndex);
}

/** Default number of concurrent requests: considerate of the service, and bounded in memory. */
const defaultBatchSize = 10;

/** Each request in flight uses a socket. */
const maxBatchSize = 1_000;

/** Concurrent requests, and milliseconds between the end of a batch and the start of the next. */
export function readBatching(context: ExecuteContext): { size: number; intervalMs: number } {
  const path = context.typeVersion < 3 ? 'options' : 'options.batching.batch';
  const size = `${path}.batchSize`;
  const interval = `${path}.batchInterval`;
  if (context.parameter(size, 0) === undefined && context.parameter(interval, 0) === undefined && !isBatched(context)) {
    return { size: defaultBatchSize, intervalMs: 0 };
  }
  const items = numberParameter(context, size, 0, 50);
  const intervalMs = numberParameter(context, interval, 0, 1_000);
  return { size: items < 1 ? maxBatchSize : Math.min(Math.floor(items), maxBatchSize), intervalMs };
}

/** From version 3 on, the option also applies if it is empty. */
function isBatched(context: ExecuteContext): boolean {
  return context.typeVersion >= 3 && context.parameter('options.batching.batch', 0) !== undefined;
}
