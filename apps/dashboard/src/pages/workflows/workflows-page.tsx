import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileUp, Plus, Workflow as WorkflowIcon, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { loadMore } from '../../data/load-more.ts';
import { projectList } from '../../data/projects.ts';
import { tagList } from '../../data/tags.ts';
import type { Workflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Select } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';
import { ProjectFilter } from '../../ui/project-filter.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { earliest, filterOf, isFiltered, untilNextTick, type WorkflowFilter } from './filter.ts';
import { ImportDialog } from './import-workflow.tsx';
import { NewWorkflowDialog } from './new-workflow.tsx';
import { useLastExecution, useTriggers, useWorkflows } from './use-workflows.ts';
import './workflows.css';

const searchPauseMs = 250;

/** All workflows. The filter is in the URL. */
export function WorkflowsPage() {
  const search = useSearch({ strict: false });
  const filter = useMemo(() => filterOf(search), [search]);
  const navigate = useNavigate();
  const choose = (next: WorkflowFilter) =>
    void navigate({ to: '/workflows', search: { ...next, new: undefined }, replace: true });
  const pages = useWorkflows(filter);
  const rows = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const columns = useColumns();
  const [isImporting, setImporting] = useState(false);
  const create = (on: boolean) =>
    void navigate({ to: '/workflows', search: { ...filter, new: on ? '1' : undefined }, replace: true });
  return (
    <Page
      title="Workflows"
      fill
      actions={
        <>
          <Button icon={<FileUp size={15} />} onClick={() => setImporting(true)}>
            Import
          </Button>
          <Button kind="primary" icon={<Plus size={15} />} onClick={() => create(true)}>
            New workflow
          </Button>
        </>
      }
    >
      <Filters filter={filter} onChange={choose} />
      <Loaded query={pages} rows={8}>
        {() => (
          <DataTable
            label="Workflows"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            onOpen={({ id }) => void navigate({ to: '/workflows/$workflowId', params: { workflowId: id } })}
            onEnd={() => loadMore(pages)}
            empty={<NoWorkflows filtered={isFiltered(filter)} onClear={() => choose({})} onCreate={() => create(true)} />}
          />
        )}
      </Loaded>
      {isImporting && <ImportDialog projectId={filter.projectId} onClose={() => setImporting(false)} />}
      {search['new'] !== undefined && <NewWorkflowDialog projectId={filter.projectId} onClose={() => create(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Workflow>[] {
  const tags = useQuery(tagList).data;
  const projects = useQuery(projectList).data;
  return useMemo(() => {
    const tagNames = new Map(tags?.map(({ id, name }) => [id, name]));
    const projectNames = new Map(projects?.map(({ id, name }) => [id, name]));
    const columns: Column<Workflow>[] = [
      { id: 'name', header: 'Name', width: 'minmax(116px, 2.4fr)', cell: (row) => <NameCell workflow={row} /> },
      { id: 'state', header: 'State', width: '76px', cell: (row) => <ActiveBadge workflow={row} /> },
      { id: 'last', header: 'Last result', width: 'minmax(140px, 1.4fr)', cell: ({ id }) => <LastResult id={id} /> },
      { id: 'next', header: 'Next tick', width: '92px', wideOnly: true, cell: (row) => <NextTick workflow={row} /> },
      {
        id: 'tags',
        header: 'Tags',
        width: 'minmax(80px, 1fr)',
        wideOnly: true,
        cell: (row) => (
          <span className="row">
            {row.tags.map((tag) => (
              <Badge key={tag}>{tagNames.get(tag) ?? tag}</Badge>
            ))}
          </span>
        ),
      },
      { id: 'updated', header: 'Changed', width: '92px', wideOnly: true, cell: (row) => <Time at={row.updatedAt} /> },
    ];
    if (projectNames.size > 1) {
      columns.splice(5, 0, {
        id: 'project',
        header: 'Project',
        width: 'minmax(90px, 1fr)',
        wideOnly: true,
        cell: ({ projectId }) => projectNames.get(projectId) ?? '',
      });
    }
    return columns;
  }, [tags, projects]);
}

function NameCell({ workflow: { id, name } }: { workflow: Workflow }) {
  return (
    <Link to="/workflows/$workflowId" params={{ workflowId: id }} className="row-link truncate" tabIndex={-1}>
      {name}
    </Link>
  );
}

function ActiveBadge({ workflow: { active } }: { workflow: Pick<Workflow, 'active'> }) {
  return active ? <Badge tone="success">Active</Badge> : <Badge>Inactive</Badge>;
}

function LastResult({ id }: { id: string }) {
  const { data } = useLastExecution(id);
  if (data === undefined) return null;
  if (data === null) return <span className="muted">Never ran</span>;
  return (
    <Link
      to="/executions/$executionId"
      params={{ executionId: data.id }}
      className="row"
      title={`Execution ${data.id}`}
      tabIndex={-1}
    >
      <StatusBadge status={data.status} />
      <span className="muted wide-only truncate">
        <Time at={data.startedAt} />
      </span>
    </Link>
  );
}

function NextTick({ workflow: { id, active } }: { workflow: Workflow }) {
  const { data } = useTriggers(id, {
    enabled: active,
    refreshAfter: (triggers) => untilNextTick(triggers?.data ?? [], Date.now()),
  });
  if (!active) return <span className="muted">–</span>;
  const failing = data?.data.find(({ status }) => status === 'failing');
  if (failing) return <Badge tone="error">Failing</Badge>;
  return <Time at={earliest(data?.data.map(({ nextRunAt }) => nextRunAt) ?? [])} />;
}

function Filters({ filter, onChange }: { filter: WorkflowFilter; onChange(filter: WorkflowFilter): void }) {
  const tags = useQuery(tagList).data ?? [];
  return (
    <div className="toolbar">
      <SearchField
        label="Search by name"
        value={filter.name ?? ''}
        pauseMs={searchPauseMs}
        onChange={(name) => onChange({ ...filter, name: name || undefined })}
      />
      <Select
        aria-label="State"
        value={filter.active ?? ''}
        onChange={(active) => onChange({ ...filter, active: (active || undefined) as WorkflowFilter['active'] })}
        options={[
          { value: '', label: 'Any state' },
          { value: 'true', label: 'Active' },
          { value: 'false', label: 'Inactive' },
        ]}
      />
      {(tags.length > 0 || filter.tag) && (
        <Select
          aria-label="Tag"
          value={filter.tag ?? ''}
          onChange={(tag) => onChange({ ...filter, tag: tag || undefined })}
          options={[{ value: '', label: 'Any tag' }, ...tags.map(({ name }) => ({ value: name, label: name }))]}
        />
      )}
      <ProjectFilter
        value={filter.projectId}
        onChange={(projectId) => onChange({ ...filter, projectId: projectId || undefined })}
      />
      {isFiltered(filter) && (
        <Button kind="quiet" icon={<X size={14} />} onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

function NoWorkflows({ filtered, onClear, onCreate }: { filtered: boolean; onClear(): void; onCreate(): void }) {
  if (filtered) {
    return (
      <Empty
        icon={<WorkflowIcon size={20} />}
        title="No workflow matches the filter"
        action={<Button onClick={onClear}>Clear the filter</Button>}
      />
    );
  }
  return (
    <Empty
      icon={<WorkflowIcon size={20} />}
      title="No workflows yet"
      action={
        <Button kind="primary" icon={<Plus size={15} />} onClick={onCreate}>
          New workflow
        </Button>
      }
    >
      A workflow is a graph of nodes: a trigger that starts it, and steps that read, change, and send data.
    </Empty>
  );
}
