import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { api, call, type Schemas } from '../../data/api.ts';
import { useLiveInterval } from '../../data/live.ts';
import { type Range, rangeOptions } from '../../data/time-ranges.ts';
import { Select } from '../../ui/fields.tsx';
import { formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Card } from '../../ui/page.tsx';
import type { PlotSeries } from '../../ui/plot.tsx';
import { Loaded, Loading } from '../../ui/states.tsx';

const Plot = lazyPart(async () => (await import('../../ui/plot.tsx')).Plot);

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
        <Select aria-label="Period" value={range} onChange={(next) => setRange(next as Range)} options={rangeOptions} />
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
    ['Error rate', ended === 0 ? '–' : formatShare(total.failed / ended)],
    ['Duration p50', total.p50Ms === null ? '–' : formatDuration(total.p50Ms)],
    ['Duration p95', total.p95Ms === null ? '–' : formatDuration(total.p95Ms)],
    ['Running', formatCount(live.running)],
    ['Queued', formatCount(live.queued)],
    ['Waiting', formatCount(live.waiting)],
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
        <div className="plot-frame">
          <Suspense fallback={<Loading rows={5} />}>
            <Results buckets={buckets} />
          </Suspense>
        </div>
      </Card>
    </>
  );
}

/** Stacked bars of the executions that succeeded and failed. */
function Results({ buckets }: { buckets: Schemas['Statistics']['buckets'] }) {
  const series = useMemo<PlotSeries[]>(
    () => [
      { label: 'Succeeded', values: buckets.map(({ succeeded }) => succeeded), color: 'success' },
      { label: 'Failed', values: buckets.map(({ failed }) => failed), color: 'error' },
    ],
    [buckets],
  );
  const times = useMemo(() => buckets.map(({ at }) => Date.parse(at) / 1000), [buckets]);
  return <Plot label="Executions over time, by result" times={times} series={series} stacked format={formatCount} min={1} />;
}
