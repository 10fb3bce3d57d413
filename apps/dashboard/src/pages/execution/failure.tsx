import { Link } from '@tanstack/react-router';
import { CircleAlert, Pencil, RotateCw } from 'lucide-react';
import { canRetry, type Execution } from '../../data/executions.ts';
import { Button } from '../../ui/button.tsx';
import { adviceFor } from './advice.ts';
import { useRetry } from './use-retry.ts';

/** For an execution that failed: what failed, why, and what to do. */
export function Failure({ execution, onShowNode }: { execution: Execution; onShowNode(name: string): void }) {
  const { id, status, workflowId, data } = execution;
  const retry = useRetry(id);
  if (status !== 'error' && status !== 'crashed') return null;
  const { error, lastNodeExecuted } = data?.resultData ?? {};
  const node = error?.node ?? lastNodeExecuted;
  const message =
    error?.message ?? (status === 'crashed' ? 'The worker that ran it stopped responding.' : 'No reason was recorded.');
  return (
    <section className="failure" aria-label="Failure">
      <CircleAlert size={17} />
      <div className="grow">
        <h2>
          {node ? (
            <>
              <button type="button" className="link-button" onClick={() => onShowNode(node)}>
                {node}
              </button>{' '}
              {status === 'crashed' ? 'was running when the worker ended' : 'failed'}
            </>
          ) : (
            'The execution failed'
          )}
        </h2>
        <p className="failure-message">{message}</p>
        <p className="muted">
          {sentence(error?.description)} {adviceFor({ ...error, status, message })}
        </p>
      </div>
      {canRetry(execution) && (
        <div className="row wrap">
          <Button kind="primary" icon={<RotateCw size={14} />} busy={retry.isBusy} onClick={() => retry.run()}>
            {node ? `Retry from ${short(node)}` : 'Retry'}
          </Button>
          <Button icon={<RotateCw size={14} />} busy={retry.isBusy} onClick={() => retry.run({ loadWorkflow: true })}>
            Retry with the newest version
          </Button>
          <Link to="/workflows/$workflowId" params={{ workflowId }} className="button secondary">
            <Pencil size={14} />
            Fix the workflow
          </Link>
        </div>
      )}
    </section>
  );
}

function short(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}

/** Descriptions may lack the last period. */
function sentence(text = ''): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}
