import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { GitCompareArrows, RotateCw, Square, Trash2 } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { canRetry, type Execution, hasEnded, stopExecution } from '../../data/executions.ts';
import { runDataOf } from '../../data/run-data.ts';
import { useVersion, versionTitle } from '../../data/workflows.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Page } from '../../ui/page.tsx';
import { Loaded, Loading, Pending } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Duration, Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Compare } from './compare.tsx';
import { DeleteExecutionDialog } from './delete-execution-dialog.tsx';
import './execution.css';
import { Failure } from './failure.tsx';
import { nodeStates } from './node-states.ts';
import { RunPanel } from './run-panel.tsx';
import { Timeline } from './timeline.tsx';
import { useExecution, useGraph } from './use-execution.ts';
import { useRetry } from './use-retry.ts';

const Graph = lazyPart(async () => (await import('./graph.tsx')).Graph);

/** One execution. The chosen node, run, and tab are in the URL. */
export function ExecutionPage() {
  const { executionId = '' } = useParams({ strict: false });
  const { query, running } = useExecution(executionId);
  if (query.data) return <Opened key={executionId} execution={query.data} running={running} />;
  return (
    <Page title={`Execution ${executionId}`} before={back}>
      <Pending query={query} />
    </Page>
  );
}

const back = <BackLink to="/executions" label="All executions" />;

/** In the URL in place of an ID, until the user has chosen the execution to compare. */
const undecided = 'choose';

function Opened({ execution, running }: { execution: Execution; running: ReadonlySet<string> }) {
  const { id, workflowName, status } = execution;
  const { node, run: runText = '0', tab, compare } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (search: Record<string, string | undefined>) => {
    const next = { node, run: runText === '0' ? undefined : runText, tab, compare, ...search };
    void navigate({ to: '/executions/$executionId', params: { executionId: id }, search: next, replace: true });
  };
  const select = (name: string, run = 0) => show({ node: name, run: run === 0 ? undefined : String(run) });
  const runData = runDataOf(execution);
  const waiting = execution.waitingRun?.node;
  const states = useMemo(() => nodeStates(runData, running, waiting), [runData, running, waiting]);
  const graph = useGraph(id);
  const name = node ?? nodeOfInterest(execution);
  const run = node === undefined && name ? (runData[name]?.length ?? 1) - 1 : Number(runText);
  return (
    <Page
      title={workflowName}
      before={back}
      after={
        <>
          <span className="muted mono">{id}</span>
          <StatusBadge status={status} />
        </>
      }
      actions={
        <Actions
          execution={execution}
          isComparing={compare !== undefined}
          onCompare={(on) => show({ compare: on ? undecided : undefined })}
        />
      }
      fill
    >
      <Facts execution={execution} />
      {compare === undefined && <Failure execution={execution} onShowNode={(failed) => select(failed)} />}
      {compare === undefined ? (
        <div className="execution">
          <div className="graph">
            <Loaded query={graph} rows={3}>
              {(drawn) => (
                <Suspense fallback={<Loading rows={3} />}>
                  <Graph
                    graph={drawn}
                    states={states}
                    runData={runData}
                    selected={name}
                    onSelect={(chosen) => select(chosen)}
                  />
                </Suspense>
              )}
            </Loaded>
          </div>
          <Timeline
            execution={execution}
            runData={runData}
            nodes={graph.data?.nodes}
            selected={{ name, run }}
            onSelect={select}
          />
          <div className="execution-right">
            <RunPanel
              execution={execution}
              runData={runData}
              node={graph.data?.nodes.find((candidate) => candidate.name === name)}
              name={name}
              run={run}
              tab={tab}
              onChange={({ run: nextRun, tab: nextTab }) =>
                show({ node: name, run: String(nextRun ?? run), tab: nextTab ?? tab })
              }
            />
          </div>
        </div>
      ) : (
        <Compare
          execution={execution}
          other={compare === undecided ? undefined : compare}
          onChoose={(other) => show({ compare: other })}
        />
      )}
    </Page>
  );
}

/** The node that failed or waits, or else the last one. */
function nodeOfInterest({ data, waitingRun }: Execution): string | undefined {
  const { error, lastNodeExecuted } = data?.resultData ?? {};
  return error?.node ?? waitingRun?.node ?? lastNodeExecuted;
}

function Facts({ execution }: { execution: Execution }) {
  const { workflowId, mode, startedAt, stoppedAt, retryOf, retrySuccessId, status, data, waitingFor } = execution;
  const { versionId } = (data?.executionData ?? {}) as { versionId?: string | null };
  return (
    <dl className="execution-facts">
      <Fact label="Workflow">
        <Link to="/workflows/$workflowId" params={{ workflowId }} className="link">
          Open
        </Link>
      </Fact>
      <Fact label="Started">
        <Time at={startedAt} />
      </Fact>
      <Fact label="Duration">
        <Duration from={startedAt} to={stoppedAt} live={!hasEnded({ status })} />
      </Fact>
      <Fact label="Mode">{mode}</Fact>
      {retryOf !== null && (
        <Fact label="Retry of">
          <ExecutionLink id={retryOf} />
        </Fact>
      )}
      {retrySuccessId !== null && (
        <Fact label="Succeeded as">
          <ExecutionLink id={retrySuccessId} />
        </Fact>
      )}
      {versionId !== undefined && (
        <Fact label="Version">
          {versionId === null ? 'not saved' : <VersionLink workflowId={workflowId} versionId={versionId} />}
        </Fact>
      )}
      {waitingFor && <Fact label="Waits for the limit of">{waitingFor.limit}</Fact>}
    </dl>
  );
}

function VersionLink({ workflowId, versionId }: { workflowId: string; versionId: string }) {
  const { data } = useVersion(workflowId, versionId);
  return (
    <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ tab: 'versions' }} className="link">
      {data ? versionTitle(data) : <span className="mono">{versionId}</span>}
    </Link>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ExecutionLink({ id }: { id: string }) {
  return (
    <Link to="/executions/$executionId" params={{ executionId: id }} className="link mono">
      {id}
    </Link>
  );
}

interface ActionsProps {
  execution: Execution;
  isComparing: boolean;
  onCompare(on: boolean): void;
}

function Actions({ execution, isComparing, onCompare }: ActionsProps) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const { id, status } = execution;
  const retry = useRetry(id);
  const stop = useAction('The execution was not stopped', () => stopExecution(id));
  return (
    <>
      <Button icon={<GitCompareArrows size={14} />} aria-pressed={isComparing} onClick={() => onCompare(!isComparing)}>
        {isComparing ? 'Close the comparison' : 'Compare'}
      </Button>
      {!hasEnded(execution) && (
        <Button kind="danger" icon={<Square size={13} />} busy={stop.isBusy} onClick={() => stop.run()}>
          Stop
        </Button>
      )}
      {canRetry(execution) && status === 'canceled' && (
        <Button icon={<RotateCw size={14} />} busy={retry.isBusy} onClick={() => retry.run()}>
          Retry
        </Button>
      )}
      {hasEnded(execution) && (
        <IconButton label="Delete" onClick={() => setDeleting(true)}>
          <Trash2 size={15} />
        </IconButton>
      )}
      {isDeleting && (
        <DeleteExecutionDialog id={id} onClose={() => setDeleting(false)} onDone={() => navigate({ to: '/executions' })} />
      )}
    </>
  );
}
