import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Card } from '../../ui/page.tsx';
import type { PlotSeries } from '../../ui/plot.tsx';
import { Empty, Loading } from '../../ui/states.tsx';
import type { Statistics } from './use-overview.ts';

const Plot = lazyPart(async () => (await import('../../ui/plot.tsx')).Plot);

/** Throughput, error rate, and duration over time. */
export function Plots({ statistics: { buckets, bucketSeconds, total } }: { statistics: Statistics }) {
  const data = useMemo(() => toSeries(buckets), [buckets]);
  if (total.succeeded + total.failed + total.canceled === 0) {
    return (
      <Card>
        <Empty
          icon={<Play size={20} />}
          title="No execution ended in this period"
          action={
            <Link to="/workflows" className="button primary">
              Go to workflows
            </Link>
          }
        >
          Figures appear here once a workflow has run.
        </Empty>
      </Card>
    );
  }
  const unit = bucketSeconds < 3_600 ? `${bucketSeconds / 60} min` : `${bucketSeconds / 3_600} h`;
  return (
    <div className="plots">
      <PlotCard title="Throughput" note={`executions per ${unit}`} series={data.throughput}>
        <Plot
          label="Executions over time, by result"
          times={data.times}
          series={data.throughput}
          stacked
          format={formatCount}
          min={1}
        />
      </PlotCard>
      <PlotCard title="Error rate" note="of those that succeeded or failed" series={data.errors}>
        <Plot
          label="Share of failed executions over time"
          times={data.times}
          series={data.errors}
          format={formatShare}
          min={0.05}
        />
      </PlotCard>
      <PlotCard title="Duration" note="start to end, waits included" series={data.durations}>
        <Plot
          label="Duration of executions over time, by percentile"
          times={data.times}
          series={data.durations}
          format={formatAxisDuration}
          min={10}
        />
      </PlotCard>
    </div>
  );
}

interface PlotCardProps {
  title: string;
  note: string;
  series: readonly PlotSeries[];
  children: React.ReactNode;
}

function PlotCard({ title, note, series, children }: PlotCardProps) {
  return (
    <Card
      title={
        <>
          {title} <span className="muted plot-note">{note}</span>
        </>
      }
      actions={series.map(({ label, color }) => (
        <span key={label} className="legend">
          <span className="dot" style={{ background: `var(--${color})` }} />
          {label}
        </span>
      ))}
    >
      <div className="plot-frame">
        <Suspense fallback={<Loading rows={5} />}>{children}</Suspense>
      </div>
    </Card>
  );
}

function toSeries(buckets: Statistics['buckets']) {
  const pick = <Key extends keyof Statistics['buckets'][number]>(key: Key) => buckets.map((bucket) => bucket[key]);
  const rates = buckets.map(({ succeeded, failed }) => (succeeded + failed === 0 ? null : failed / (succeeded + failed)));
  const throughput: PlotSeries[] = [
    { label: 'Succeeded', values: pick('succeeded'), color: 'success' },
    { label: 'Failed', values: pick('failed'), color: 'error' },
    { label: 'Canceled', values: pick('canceled'), color: 'neutral' },
  ];
  const errors: PlotSeries[] = [{ label: 'Failed', values: rates, color: 'error' }];
  const durations: PlotSeries[] = [
    { label: 'p50', values: pick('p50Ms'), color: 'success' },
    { label: 'p95', values: pick('p95Ms'), color: 'running' },
    { label: 'p99', values: pick('p99Ms'), color: 'waiting' },
  ];
  return { times: buckets.map(({ at }) => Date.parse(at) / 1000), throughput, errors, durations };
}

/** Shorter than elsewhere: `2 s`, not `2.00 s`. */
function formatAxisDuration(ms: number): string {
  return ms >= 1_000 && ms < 60_000 ? `${Number((ms / 1_000).toFixed(1))} s` : formatDuration(ms);
}
