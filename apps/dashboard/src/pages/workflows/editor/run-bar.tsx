import { Link } from '@tanstack/react-router';
import type { Execution } from '../../../data/executions.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Time } from '../../../ui/time.tsx';

/** The execution whose results the graph shows. */
export function RunBar({ execution, onShowNode }: { execution: Execution; onShowNode(name: string): void }) {
  const { id, status, startedAt, data } = execution;
  const error = data?.resultData.error;
  return (
    <div className="run-bar" role="status">
      <StatusBadge status={status} />
      <span className="muted nowrap">
        <Time at={startedAt} />
      </span>
      <Link to="/executions/$executionId" params={{ executionId: id }} className="link nowrap">
        Execution {id}
      </Link>
      {error && (
        <span className="run-bar-error">
          {error.node && (
            <button type="button" className="link-button" onClick={() => onShowNode(String(error.node))}>
              {error.node}
            </button>
          )}{' '}
          {error.message}
        </span>
      )}
    </div>
  );
}
