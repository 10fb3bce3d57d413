import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CircleCheck, Play, TriangleAlert, Workflow as WorkflowIcon } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { loadPart } from '../../data/connection.ts';
import { isRange, type Range, rangeNames } from '../../data/time-ranges.ts';
import { formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import { Card, Page } from '../../ui/page.tsx';
import type { PlotSeries } from '../../ui/plot.tsx';
import { Empty, Loaded, Loading } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { type AttentionItem, attentionItems } from './attention.ts';
import './overview.css';
import { Ranking } from './ranking.tsx';
import { type Statistics, useAttention, useHasNoWorkflows, useQueue, useStatistics, useWorkers } from './use-overview.ts';
import { Workers } from './workers.tsx';

const Plot = lazy(() => loadPart(() => import('../../ui/plot.tsx')).then((module) => ({ default: module.Plot })));

/** State of the service at a glance. The range is in the URL. */
export function OverviewPage() {
  const { range: text } = useSearch({ strict: false }) as { range?: string };
  const range = isRange(text) ? text : '24h';
  const statistics = useStatistics(range);
  const isNew = useHasNoWorkflows();
  return (
    <Page title="Overview" actions={<RangeChoice value={range} />}>
      <div className="overview">
        <Attention statistics={statistics.data} />
        {isNew && <Welcome />}
        <Loaded query={statistics} rows={12}>
          {(data) => (
            <>
              <Tiles statistics={data} range={range} />
              {!isNew && <Plots statistics={data} />}
              <div className="rankings">
                <Ranking kind="failing" rows={data.mostFailing} range={range} />
                <Ranking kind="slowest" rows={data.slowest} range={range} />
              </div>
            </>
          )}
        </Loaded>
        <Workers />
      </div>
    </Page>
  );
}

/** Guides the user to the first workflow. */
function Welcome() {
  return (
    <Card>
      <Empty
        icon={<WorkflowIcon size={20} />}
        title="Build the first workflow"
        action={
          <Link to="/workflows" search={{ new: '1' }} className="button primary">
            Create a workflow
          </Link>
        }
      >
        A workflow is a graph of nodes: a trigger that starts it, and steps that read, change, and send data. To import one from
        a file, choose “Import” on the page “Workflows”.
      </Empty>
    </Card>
  );
}

function RangeChoice({ value }: { value: Range }) {
  const navigate = useNavigate();
  return (
    <fieldset className="segments">
      <legend className="sr-only">Period</legend>
      {rangeNames.map((range) => (
        <button
          key={range}
          type="button"
          aria-pressed={range === value}
          onClick={() => void navigate({ to: '/', search: { range }, replace: true })}
        >
          {range}
        </button>
      ))}
    </fieldset>
  );
}

function Attention({ statistics }: { statistics: Statistics | undefined }) {
  const [findings, queue, workers] = [useAttention(), useQueue(), useWorkers()];
  const now = useNow(10_000);
  const items = attentionItems(
    { findings: findings.data?.data, statistics, queue: queue.data, workers: workers.data?.data },
    now,
  );
  if (items.length === 0) {
    // Nothing is known without a response; the other parts of the page show the error.
    if (findings.data === undefined) return null;
    return (
      <p className="all-well">
        <CircleCheck size={15} />
        Nothing needs attention.
      </p>
    );
  }
  return (
    <section className="attention" aria-label="Needs attention">
      {items.map((item) => (
        <AttentionRow key={`${item.title} ${item.text}`} item={item} />
      ))}
    </section>
  );
}

function AttentionRow({ item: { tone, title, text, to, search } }: { item: AttentionItem }) {
  return (
    <div className="attention-row" data-tone={tone}>
      <TriangleAlert size={15} />
      <p className="grow">
        <strong>{title.endsWith('.') ? title : `${title}.`}</strong> <span className="muted">{text}</span>
      </p>
      {to && (
        <Link to={to} search={search ?? {}} className="link nowrap">
          Show
          <span className="sr-only"> {title}</span>
        </Link>
      )}
    </div>
  );
}

function Tiles({ statistics: { live, total }, range }: { statistics: Statistics; range: Range }) {
  const ended = total.succeeded + total.failed;
  const rate = ended === 0 ? 0 : total.failed / ended;
  return (
    <section className="tiles" aria-label="Now">
      <Tile
        label="Running"
        value={formatCount(live.running)}
        tone={live.running > 0 ? 'running' : undefined}
        status="running"
      />
      <Tile
        label="Queued"
        value={formatCount(live.queued)}
        status="new"
        note={
          live.oldestQueuedAt && (
            <>
              oldest <Time at={live.oldestQueuedAt} />
            </>
          )
        }
      />
      <Tile
        label="Waiting"
        value={formatCount(live.waiting)}
        tone={live.waiting > 0 ? 'waiting' : undefined}
        status="waiting"
      />
      <Tile
        label={`Ended, ${range}`}
        value={formatCount(ended + total.canceled)}
        note={total.canceled > 0 && `${formatCount(total.canceled)} canceled`}
      />
      <Tile
        label={`Error rate, ${range}`}
        value={formatShare(rate)}
        tone={rate > 0.05 ? 'error' : undefined}
        status="error,crashed"
        range={range}
        note={total.failed > 0 && `${formatCount(total.failed)} failed`}
      />
      <Tile
        label={`Duration p95, ${range}`}
        value={total.p95Ms === null ? '–' : formatDuration(total.p95Ms)}
        note={total.p50Ms !== null && `p50 ${formatDuration(total.p50Ms)}`}
      />
    </section>
  );
}

interface TileProps {
  label: string;
  value: string;
  tone?: string | undefined;
  note?: React.ReactNode;
  /** Filter of the list that a click opens. */
  status?: string | undefined;
  range?: Range;
}

function Tile({ label, value, tone, note, status, range }: TileProps) {
  const content = (
    <>
      <span className="muted">{label}</span>
      <span className="tile-value" data-tone={tone}>
        {value}
      </span>
      <span className="muted small">{note || ' '}</span>
    </>
  );
  if (status === undefined) return <div className="tile">{content}</div>;
  return (
    <Link to="/executions" search={{ status, range }} className="tile">
      {content}
    </Link>
  );
}

function Plots({ statistics: { buckets, bucketSeconds, total } }: { statistics: Statistics }) {
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
