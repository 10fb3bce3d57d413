import { type Static, type TSchema, Type } from './schema-builder.ts';
import { nullable, oneOf, storableText, timestamp } from './schema-helpers.ts';

export const statisticsRanges = ['1h', '6h', '24h', '7d', '30d'] as const;
export type StatisticsRange = (typeof statisticsRanges)[number];

export const getStatisticsQuery = Type.Object({
  range: Type.Unsafe<StatisticsRange>({
    ...oneOf(statisticsRanges, { description: 'period up to now; its buckets are 1, 5 and 15 minutes, 2 and 8 hours long' }),
    default: '24h',
  } as TSchema),
  projectId: Type.Optional(
    Type.String({ ...storableText, description: 'only executions of this project', examples: ['KhXb0Dp6ZyVt8uQa'] }),
  ),
  workflowId: Type.Optional(
    Type.String({ ...storableText, description: 'only executions of this workflow', examples: ['2tUt1wbLX592XDdX'] }),
  ),
});
export type GetStatisticsQuery = Static<typeof getStatisticsQuery>;

const count = (description: string) => Type.Integer({ description });
const ended = {
  succeeded: count('executions that ended `success`'),
  failed: count('executions that ended `error` or `crashed`'),
  canceled: count('executions that ended `canceled`'),
};
const duration = (share: string) =>
  nullable(
    Type.Integer({
      description: `milliseconds from start to end, waits included, that ${share} of the executions with status success or error did not exceed, within 5%; null: no such executions`,
    }),
  );
const durations = { p50Ms: duration('50%'), p95Ms: duration('95%'), p99Ms: duration('99%') };

const statisticsBucket = Type.Object({ at: timestamp, ...ended, ...durations });
const workflowStatistics = Type.Object({ workflowId: Type.String(), workflowName: Type.String(), ...ended, ...durations });

export const statisticsView = Type.Object(
  {
    range: oneOf(statisticsRanges),
    bucketSeconds: Type.Integer({ description: 'length of a bucket' }),
    live: Type.Object(
      {
        queued: count('executions with the status `new`'),
        running: count('executions with the status `running`'),
        waiting: count('executions with the status `waiting`'),
        oldestQueuedAt: nullable(timestamp),
      },
      { description: 'executions that have not ended, now; each count up to 100,000' },
    ),
    total: Type.Object({ ...ended, ...durations }, { description: 'the whole period' }),
    buckets: Type.Array(statisticsBucket, {
      description: 'oldest first, without gaps; an execution counts in the bucket in which it ended',
    }),
    slowest: Type.Array(workflowStatistics, { description: 'ten workflows with the highest p95 of the duration' }),
    mostFailing: Type.Array(workflowStatistics, { description: 'ten workflows with the most failures' }),
  },
  { title: 'Statistics' },
);
export type StatisticsView = Static<typeof statisticsView>;
