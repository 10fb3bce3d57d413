import { Link } from '@tanstack/react-router';
import type { Range } from '../../data/time-ranges.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import type { Statistics } from './use-overview.ts';

interface RankingProps {
  kind: 'failing' | 'slowest';
  rows: Statistics['slowest'];
  range: Range;
}

/** Workflows with the most failures, or with the longest durations. */
export function Ranking({ kind, rows, range }: RankingProps) {
  const values = rows.map((row) => (kind === 'failing' ? row.failed : (row.p95Ms ?? 0)));
  const most = Math.max(1, ...values);
  const shown = rows.filter((_, index) => (values[index] ?? 0) > 0).slice(0, 6);
  return (
    <Card title={kind === 'failing' ? 'Most failing workflows' : 'Slowest workflows, p95'}>
      {shown.length === 0 && (
        <p className="ranking-empty muted">{kind === 'failing' ? 'No execution failed.' : 'No execution ended.'}</p>
      )}
      <ul className="ranking">
        {shown.map((row, index) => (
          <li key={row.workflowId}>
            <Link
              to="/executions"
              search={{
                workflowId: row.workflowId,
                ...(kind === 'failing' && { status: 'error,crashed' }),
                range,
              }}
            >
              <span className="ranking-bar" data-kind={kind} style={{ width: `${((values[index] ?? 0) / most) * 100}%` }} />
              <span className="grow truncate">{row.workflowName}</span>
              <span className="muted nowrap">
                {kind === 'failing'
                  ? `${formatCount(row.failed)} of ${formatCount(row.failed + row.succeeded)}`
                  : formatDuration(row.p95Ms ?? 0)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
