import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Activity, CircleStop, RotateCw, Square, Trash2 } from 'lucide-react';
import { type MouseEvent, useCallback, useMemo, useState } from 'react';
import { canRetry, type Execution, hasEnded, stopExecution } from '../../data/executions.ts';
import { loadMore } from '../../data/load-more.ts';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Duration, Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { DeleteExecutionDialog } from '../execution/delete-execution-dialog.tsx';
import { useRetry } from '../execution/use-retry.ts';
import { DeleteManyDialog, StopManyDialog } from './bulk-dialogs.tsx';
import './executions.css';
import { type ExecutionFilter, type ExecutionQuery, isFiltered, parseFilter, toQuery } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { SavedViews } from './saved-views.tsx';
import { useExecutions } from './use-executions.ts';

/** `query`: the filter's query at the time the dialog opens. */
type OpenDialog = { kind: 'stopMany' | 'deleteMany'; query: ExecutionQuery } | { kind: 'delete'; execution: Execution };

/** The list of executions, live. Its filter is in the URL. */
export function ExecutionsPage() {
  const search = useSearch({ strict: false });
  const filterText = JSON.stringify(parseFilter(search));
  const filter = useMemo<ExecutionFilter>(() => JSON.parse(filterText), [filterText]);
  const navigate = useNavigate();
  const choose = (next: ExecutionFilter) => void navigate({ to: '/executions', search: { ...next } });
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const openBulk = (kind: 'stopMany' | 'deleteMany') => setDialog({ kind, query: toQuery(filter, Date.now()) });
  const { rows, count, estimated, pages } = useExecutions(filter);
  const open = useCallback(
    (id: string) => void navigate({ to: '/executions/$executionId', params: { executionId: id } }),
    [navigate],
  );
  const columns = useMemo(() => columnsOf((execution) => setDialog({ kind: 'delete', execution }), open), [open]);
  return (
    <Page
      title="Executions"
      after={
        <span className="muted" aria-live="polite">
          {pages.data && `${estimated ? 'about ' : ''}${formatCount(count)}`}
        </span>
      }
      actions={
        <>
          <SavedViews filter={filter} onChoose={choose} />
          <Button icon={<CircleStop size={14} />} onClick={() => openBulk('stopMany')}>
            Stop many
          </Button>
          <Button icon={<Trash2 size={14} />} onClick={() => openBulk('deleteMany')}>
            Delete many
          </Button>
        </>
      }
      fill
    >
      <FilterBar filter={filter} onChange={choose} />
      <Loaded query={pages} rows={12}>
        {() => (
          <DataTable
            label="Executions"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            total={count}
            onOpen={({ id }) => open(id)}
            onEnd={() => loadMore(pages)}
            empty={<NoExecutions filtered={isFiltered(filter)} onClear={() => choose({})} />}
          />
        )}
      </Loaded>
      {dialog?.kind === 'stopMany' && <StopManyDialog query={dialog.query} onClose={close} />}
      {dialog?.kind === 'deleteMany' && <DeleteManyDialog query={dialog.query} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteExecutionDialog id={dialog.execution.id} onClose={close} />}
    </Page>
  );
}

function NoExecutions({ filtered, onClear }: { filtered: boolean; onClear(): void }) {
  if (filtered) {
    return (
      <Empty
        icon={<Activity size={20} />}
        title="No execution matches the filter"
        action={<Button onClick={onClear}>Clear the filter</Button>}
      />
    );
  }
  return (
    <Empty
      icon={<Activity size={20} />}
      title="Nothing has run yet"
      action={
        <Link to="/workflows" className="button primary">
          Go to workflows
        </Link>
      }
    >
      Run or activate a workflow; its executions appear here at once.
    </Empty>
  );
}

/** Router links are too slow for rows that scroll. The browser handles modified clicks. */
function followLink(event: MouseEvent, open: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}

function columnsOf(onDelete: (execution: Execution) => void, onOpen: (id: string) => void): Column<Execution>[] {
  return [
    { id: 'status', header: 'Status', width: '98px', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'workflow',
      header: 'Workflow',
      width: 'minmax(90px, 2fr)',
      cell: ({ id, workflowName, error }) => (
        <span className="row">
          <a href={`executions/${id}`} className="row-link truncate" onClick={(event) => followLink(event, () => onOpen(id))}>
            {workflowName}
          </a>
          {error && (
            <span className="row-error muted truncate" title={error.message}>
              {error.node && `${error.node}: `}
              {error.message}
            </span>
          )}
        </span>
      ),
    },
    { id: 'id', header: 'ID', width: '90px', wideOnly: true, cell: ({ id }) => <span className="mono muted">{id}</span> },
    { id: 'mode', header: 'Mode', width: '110px', wideOnly: true, cell: (execution) => <Mode {...execution} /> },
    { id: 'started', header: 'Started', width: '90px', cell: ({ startedAt }) => <Time at={startedAt} /> },
    {
      id: 'duration',
      header: 'Duration',
      width: '92px',
      align: 'end',
      wideOnly: true,
      cell: ({ startedAt, stoppedAt, status }) => <Duration from={startedAt} to={stoppedAt} live={status === 'running'} />,
    },
    actionsColumn((execution) => <RowMenu execution={execution} onDelete={() => onDelete(execution)} />),
  ];
}

function Mode({ mode, retryOf }: Execution) {
  return <span className="muted">{retryOf === null ? mode : `retry of ${retryOf}`}</span>;
}

function RowMenu({ execution, onDelete }: { execution: Execution; onDelete(): void }) {
  const { id } = execution;
  const retry = useRetry(id);
  const stop = useAction('The execution was not stopped', () => stopExecution(id));
  return (
    <Menu
      label={`Actions for execution ${id}`}
      entries={[
        {
          label: 'Retry',
          icon: <RotateCw size={14} />,
          disabled: !canRetry(execution) || retry.isBusy,
          onSelect: () => retry.run(),
        },
        {
          label: 'Stop',
          icon: <Square size={14} />,
          disabled: hasEnded(execution) || stop.isBusy,
          onSelect: () => stop.run(),
        },
        {
          label: 'Delete',
          icon: <Trash2 size={14} />,
          danger: true,
          disabled: !hasEnded(execution),
          onSelect: onDelete,
        },
      ]}
    />
  );
}
