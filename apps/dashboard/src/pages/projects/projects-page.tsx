import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FolderKanban, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Project, projectList } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, timeColumn } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { matches } from '../../ui/matches.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { createProject } from './project-queries.ts';
import { roleTexts } from './roles.ts';

/** The projects that the caller can see. */
export function ProjectsPage() {
  const navigate = useNavigate();
  const { q = '' } = useSearch({ strict: false });
  const projects = useQuery(projectList);
  const [isCreating, setCreating] = useState(false);
  const open = (projectId: string) => navigate({ to: '/projects/$projectId', params: { projectId } });
  return (
    <ListPage
      title="Projects"
      query={projects}
      filter={({ name }) => matches(q, [name])}
      action={
        <Button kind="primary" icon={<Plus size={14} />} onClick={() => setCreating(true)}>
          New project
        </Button>
      }
      toolbar={
        <SearchField
          label="Search projects"
          value={q}
          onChange={(text) => void navigate({ to: '/projects', search: { q: text }, replace: true })}
        />
      }
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void open(id)}
      empty={<Empty icon={<FolderKanban size={20} />} title="No project matches" />}
    >
      {isCreating && (
        <NameDialog title="New project" onClose={() => setCreating(false)} onSave={createProject} onDone={({ id }) => open(id)}>
          <p className="muted">
            A project owns workflows and credentials, and its members work on them. You become its first admin.
          </p>
        </NameDialog>
      )}
    </ListPage>
  );
}

const columns: readonly Column<Project>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(140px, 2fr)',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name, type }) => (
      <span className="row">
        <Link to="/projects/$projectId" params={{ projectId: id }} className="row-link truncate">
          {name}
        </Link>
        {type === 'personal' && <Badge>Personal</Badge>}
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Your role',
    width: '110px',
    cell: ({ role }) => (role ? roleTexts[role] : <span className="muted">not a member</span>),
  },
  {
    id: 'concurrency',
    header: 'At once',
    width: '100px',
    align: 'end',
    wideOnly: true,
    sortBy: ({ concurrency }) => concurrency ?? Number.POSITIVE_INFINITY,
    cell: ({ concurrency }) => concurrency ?? <span className="muted">no limit</span>,
  },
  { id: 'weight', header: 'Weight', width: '80px', align: 'end', wideOnly: true, cell: ({ weight }) => weight },
  timeColumn('Created', ({ createdAt }) => createdAt, { wideOnly: true }),
];
