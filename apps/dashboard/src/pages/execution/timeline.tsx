import { useVirtualizer } from '@tanstack/react-virtual';
import { CornerDownRight } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { Schemas } from '../../data/api.ts';
import { type Execution, hasEnded } from '../../data/executions.ts';
import type { RunData } from '../../data/run-data.ts';
import { counted, formatDuration, formatInstant } from '../../ui/format.ts';
import { useNow } from '../../ui/time.tsx';
import { type TimelineBar, timelineOf } from './timeline-of.ts';

interface TimelineProps {
  execution: Execution;
  runData: RunData;
  /** The nodes of the graph. Undefined while the graph loads. */
  nodes: readonly Schemas['Node'][] | undefined;
  selected: { name: string | undefined; run: number };
  onSelect(name: string, run: number): void;
}

const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Node runs over time. */
export function Timeline({ execution, runData, nodes = [], selected, onSelect }: TimelineProps) {
  const { startedAt, stoppedAt, waitingRun } = execution;
  const isOpen = !hasEnded(execution);
  const now = useNow(1_000, isOpen);
  const scroller = useRef<HTMLDivElement>(null);
  const from = startedAt === null ? now : Date.parse(startedAt);
  const to = stoppedAt === null ? now : Date.parse(stoppedAt);
  const { bars, spanMs } = useMemo(
    () => timelineOf(runData, { from, to, waiting: waitingRun }),
    [runData, from, to, waitingRun],
  );
  const waits = useMemo(() => new Set(nodes.filter(({ type }) => /\bwait$/i.test(type)).map(({ name }) => name)), [nodes]);
  const virtualizer = useVirtualizer({
    count: bars.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 10,
  });
  return (
    <section className="timeline" aria-label="Timeline">
      <div className="timeline-scale" aria-hidden="true">
        <span className="timeline-label">{counted(bars.length, 'node run')}</span>
        <div className="timeline-track">
          {ticks.map((share) => (
            <span key={share} style={{ left: `${share * 100}%` }} data-last={share === 1}>
              {formatDuration(share * spanMs)}
            </span>
          ))}
        </div>
      </div>
      <div className="timeline-rows" ref={scroller}>
        <div style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const bar = bars[index] as TimelineBar;
            const isSelected = bar.name === selected.name && bar.runIndex === selected.run;
            return (
              <TimelineRow
                key={`${bar.name}/${bar.runIndex}`}
                bar={bar}
                isWait={waits.has(bar.name) || bar.status === 'waiting'}
                top={start}
                isSelected={isSelected}
                onSelect={onSelect}
              />
            );
          })}
        </div>
      </div>
    </section>
  );
}

interface RowProps {
  bar: TimelineBar;
  isWait: boolean;
  top: number;
  isSelected: boolean;
  onSelect: TimelineProps['onSelect'];
}

function TimelineRow({
  bar: { name, runIndex, status, startTime, durationMs, items, isSub, start, width, failedTries },
  isWait,
  top,
  isSelected,
  onSelect,
}: RowProps) {
  const isLate = start + width > 0.75;
  return (
    <button
      type="button"
      className="timeline-row"
      aria-pressed={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      title={`${name}, from ${formatInstant(startTime)}`}
      onClick={() => onSelect(name, runIndex)}
    >
      <span className="timeline-label truncate">
        {isSub && <CornerDownRight className="timeline-sub" size={12} />}
        {isSub && <span className="sr-only">use of a sub-node: </span>}
        {name}
        {runIndex > 0 && <span className="muted"> · run {runIndex + 1}</span>}
      </span>
      <span className="timeline-track">
        <span
          className="bar"
          data-tone={status}
          data-wait={isWait}
          data-tried={failedTries.length > 0}
          style={{ left: `${start * 100}%`, width: `${width * 100}%` }}
        />
        {failedTries.map((failed, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: tries are known by their order, and two can begin at once
            key={index}
            className="bar"
            data-tone="error"
            title={failed.message}
            style={{ left: `${failed.start * 100}%`, width: `${failed.width * 100}%` }}
          />
        ))}
        <span
          className="bar-text"
          style={isLate ? { right: `calc(${(1 - start) * 100}% + 6px)` } : { left: `calc(${(start + width) * 100}% + 6px)` }}
        >
          {formatDuration(durationMs)}
          {failedTries.length > 0 && ` · ${failedTries.length + 1} tries`}
          <span className="sr-only">
            , {status}, {items} items
          </span>
        </span>
      </span>
    </button>
  );
}
