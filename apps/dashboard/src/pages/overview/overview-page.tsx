import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert, Workflow as WorkflowIcon } from 'lucide-react';
import { isRange, type Range, rangeNames } from '../../data/time-ranges.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useNow } from '../../ui/time.tsx';
import { type AttentionItem, attentionItems } from './attention.ts';
import './overview.css';
import { Plots } from './plots.tsx';
import { Ranking } from './ranking.tsx';
import { Tiles } from './tiles.tsx';
import { type Statistics, useAttention, useHasNoWorkflows, useQueue, useStatistics, useWorkers } from './use-overview.ts';
import { Workers } from './workers.tsx';

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
