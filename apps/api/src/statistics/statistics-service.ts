import type { GetStatisticsQuery, StatisticsRange, StatisticsView } from '@sluice/contract';
import { type Access, type ExecutionStatistics, type LiveStatistics, ReadCache, type StatisticsPeriod } from '@sluice/db';
import type { Caller } from '../auth/caller.ts';
import { type Lists, sharedKey } from '../paging/lists.ts';

const periods: Readonly<Record<StatisticsRange, StatisticsPeriod>> = {
  '1h': { grainS: 60, bucketS: 60, buckets: 60 },
  '6h': { grainS: 60, bucketS: 300, buckets: 72 },
  '24h': { grainS: 900, bucketS: 900, buckets: 96 },
  '7d': { grainS: 7_200, bucketS: 7_200, buckets: 84 },
  '30d': { grainS: 7_200, bucketS: 28_800, buckets: 90 },
};

/** Milliseconds for which callers with the same access share a result. */
const keepMs = 2_000;

/** Counts and durations of the executions that the caller may see. */
export class StatisticsService {
  readonly #lists: Lists;
  readonly #cache = new ReadCache<StatisticsView>({ ms: keepMs, maxEntries: 100 });

  constructor({ lists }: { lists: Lists }) {
    this.#lists = lists;
  }

  async get(query: GetStatisticsQuery, caller: Caller): Promise<StatisticsView> {
    const access = caller.access['project:viewer'];
    return this.#cache.get(sharedKey(query, access), () => this.#read(query, access));
  }

  #read({ range, ...filter }: GetStatisticsQuery, access: Access): Promise<StatisticsView> {
    const period = periods[range];
    return this.#lists.read(async ({ statistics }) => {
      const [ended, live] = await Promise.all([statistics.read(filter, access, period), statistics.readLive(filter, access)]);
      return toView(range, period, ended, live);
    });
  }
}

function toView(
  range: StatisticsRange,
  { bucketS }: StatisticsPeriod,
  { buckets, ...ended }: ExecutionStatistics,
  { oldestQueuedAt, ...live }: LiveStatistics,
): StatisticsView {
  return {
    range,
    bucketSeconds: bucketS,
    live: { ...live, oldestQueuedAt: oldestQueuedAt?.toISOString() ?? null },
    ...ended,
    buckets: buckets.map((bucket) => ({ ...bucket, at: bucket.at.toISOString() })),
  };
}
