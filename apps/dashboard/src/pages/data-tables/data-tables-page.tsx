import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Table2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { labelOf, projectList } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, timeColumn } from '../../ui/data-table.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { matches } from '../../ui/matches.ts';
import { ProjectFilter } from '../../ui/project-filter.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { dataTables, type DataTable as Table } from './data-table-queries.ts';
import { NewTableDialog } from './table-dialogs.tsx';

/** All data tables of the caller's projects. The search is in the URL. */
export function DataTablesPage() {
  const tables = useQuery(dataTables);
  const projects = useQuery(projectList).data ?? [];
  const { name = '', projectId = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = (change: Record<string, string>) =>
    void navigate({ to: '/data-tables', search: { name, projectId, ...change }, replace: true });
  const [isCreating, setCreating] = useState(false);
  const labels = useMemo(() => new Map(projects.map((project) => [project.id, labelOf(project)])), [projects]);
  const columns = useMemo(() => columnsOf(labels), [labels]);
  const createButton = (
    <Button kind="primary" icon={<Plus size={14} />} onClick={() => setCreating(true)}>
      New table
    </Button>
  );
  return (
    <ListPage
      title="Data tables"
      query={tables}
      filter={(table) => matches(name, [table.name]) && (projectId === '' || table.projectId === projectId)}
      action={createButton}
      toolbar={
        <>
          <SearchField label="Search by name" value={name} onChange={(text) => filter({ name: text })} />
          <ProjectFilter value={projectId} onChange={(id) => filter({ projectId: id })} />
        </>
      }
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/data-tables/$tableId', params: { tableId: id } })}
      empty={
        tables.data?.length === 0 ? (
          <Empty icon={<Table2 size={20} />} title="No data tables yet" action={createButton}>
            Workflows read and write tables with the Data Table node, for example to remember what they have processed.
          </Empty>
        ) : (
          <Empty icon={<Table2 size={20} />} title="No table matches the filter" />
        )
      }
    >
      {isCreating && (
        <NewTableDialog
          onClose={() => setCreating(false)}
          onCreated={(id) => void navigate({ to: '/data-tables/$tableId', params: { tableId: id } })}
        />
      )}
    </ListPage>
  );
}

function columnsOf(projects: ReadonlyMap<string, string>): Column<Table>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 2fr)',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ id, name }) => (
        <Link to="/data-tables/$tableId" params={{ tableId: id }} className="row-link truncate">
          {name}
        </Link>
      ),
    },
    {
      id: 'rows',
      header: 'Rows',
      width: '84px',
      align: 'end',
      sortBy: ({ rowCount }) => rowCount,
      cell: ({ rowCount }) => formatCount(rowCount),
    },
    {
      id: 'columns',
      header: 'Columns',
      width: '84px',
      align: 'end',
      wideOnly: true,
      sortBy: ({ columns }) => columns.length,
      cell: ({ columns }) => columns.length,
    },
    {
      id: 'size',
      header: 'Size',
      width: '96px',
      align: 'end',
      wideOnly: true,
      sortBy: ({ bytes }) => bytes,
      cell: ({ bytes }) => <span className="muted">{formatBytes(bytes)}</span>,
    },
    {
      id: 'project',
      header: 'Project',
      width: 'minmax(120px, 1fr)',
      wideOnly: true,
      sortBy: ({ projectId }) => projects.get(projectId) ?? '',
      cell: ({ projectId }) => <span className="muted truncate">{projects.get(projectId)}</span>,
    },
    timeColumn('Changed', ({ updatedAt }) => updatedAt),
  ];
}
