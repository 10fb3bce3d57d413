import { Link } from '@tanstack/react-router';
import type { Range } from '../../data/time-ranges.ts';
import { formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';
import type { Statistics } from './use-overview.ts';

/** Figures of now and of the range; each links to its executions. */
export function Tiles({ statistics: { live, total }, range }: { statistics: Statistics; range: Range }) {
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
