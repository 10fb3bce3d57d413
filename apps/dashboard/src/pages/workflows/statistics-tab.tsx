import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call, type Schemas } from '../../data/api.ts';
import { useLiveInterval } from '../../data/live.ts';
import { Select } from '../../ui/fields.tsx';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

const ranges = { '1h': 'Last hour', '6h': 'Last 6 hours', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' };
type Range = keyof typeof ranges;

/** Results and durations of one workflow over time. */
export function StatisticsTab({ workflowId }: { workflowId: string }) {
  const [range, setRange] = useState<Range>('24h');
  const refetchInterval = useLiveInterval(15_000);
  const statistics = useQuery({
    queryKey: ['statistics', workflowId, range],
    queryFn: () => call(api.GET('/statistics', { params: { query: { workflowId, range } } })),
    refetchInterval,
  });
  return (
    <div className="tab-page">
      <div className="range">
        <Select
          aria-label="Period"
          value={range}
          onChange={(next) => setRange(next as Range)}
          options={Object.entries(ranges).map(([value, label]) => ({ value, label }))}
        />
      </div>
      <Loaded query={statistics} rows={4}>
        {(data) => <Figures data={data} />}
      </Loaded>
    </div>
  );
}

function Figures({ data: { total, live, buckets } }: { data: Schemas['Statistics'] }) {
  const ended = total.succeeded + total.failed;
  const figures = [
    ['Succeeded', formatCount(total.succeeded)],
    ['Failed', formatCount(total.failed)],
    ['Error rate', ended === 0 ? '–' : `${((total.failed / ended) * 100).toFixed(1)} %`],
    ['Median', total.p50Ms === null ? '–' : formatDuration(total.p50Ms)],
    ['95 of 100 within', total.p95Ms === null ? '–' : formatDuration(total.p95Ms)],
    ['Now', `${live.running} running, ${live.queued} queued, ${live.waiting} waiting`],
  ] as const;
  return (
    <>
      <dl className="figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Card title="Executions over time">
        <Bars buckets={buckets} />
      </Card>
    </>
  );
}

/** Stacked bars of what succeeded and failed. */
function Bars({ buckets }: { buckets: Schemas['Statistics']['buckets'] }) {
  const highest = Math.max(1, ...buckets.map(({ succeeded, failed }) => succeeded + failed));
  const total = buckets.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  const width = 100 / Math.max(1, buckets.length);
  return (
    <svg
      className="bars"
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${total} executions ended; at most ${highest} in one interval`}
    >
      {buckets.map(({ succeeded, failed }, index) => {
        const [good, bad] = [(succeeded / highest) * 38, (failed / highest) * 38];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: intervals are known by their index
          <g key={index} transform={`translate(${index * width} 0)`}>
            <rect className="bar-good" x={width * 0.1} width={width * 0.8} y={40 - good} height={good} />
            <rect className="bar-bad" x={width * 0.1} width={width * 0.8} y={40 - good - bad} height={bad} />
          </g>
        );
      })}
    </svg>
  );
}
