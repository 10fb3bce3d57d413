import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import { type Credential, credentialList, credentialTypes } from '../../data/credentials.ts';
import { labelOf, type Project, projectList } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, timeColumn } from '../../ui/data-table.tsx';
import { Select } from '../../ui/fields.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { matches } from '../../ui/matches.ts';
import { ProjectFilter } from '../../ui/project-filter.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import type { CredentialTypeSummary } from './credential-queries.ts';

const newButton = (
  <Link to="/credentials/new" className="button primary">
    <Plus size={14} />
    New credential
  </Link>
);

/** The list of credentials, with a search and filters in the URL. */
export function CredentialsPage() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const { q = '', type = '', project = '' } = search;
  const credentials = useQuery({ ...credentialList, refetchInterval: 30_000 });
  const types = useQuery(credentialTypes).data;
  const projects = useQuery(projectList).data;
  const columns = useMemo(() => columnsOf(types ?? [], projects ?? []), [types, projects]);
  const isMatch = (one: Credential) =>
    matches(q, [one.name, one.type]) && (type === '' || one.type === type) && (project === '' || one.projectId === project);
  const choose = (next: Record<string, string>) =>
    void navigate({ to: '/credentials', search: { ...search, ...next }, replace: true });
  const used = new Set(credentials.data?.map((one) => one.type));
  const usedTypes = (types ?? []).filter(({ name }) => used.has(name) || name === type);
  return (
    <ListPage
      title="Credentials"
      query={credentials}
      filter={isMatch}
      action={newButton}
      toolbar={
        <>
          <SearchField label="Search credentials" value={q} onChange={(text) => choose({ q: text })} />
          <Select
            aria-label="Type"
            value={type}
            onChange={(next) => choose({ type: next })}
            options={[
              { value: '', label: 'All types' },
              ...usedTypes.map(({ name, displayName }) => ({ value: name, label: displayName })),
            ]}
          />
          <ProjectFilter value={project} onChange={(next) => choose({ project: next })} />
        </>
      }
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/credentials/$credentialId', params: { credentialId: id } })}
      empty={
        <NoCredentials any={credentials.data?.length !== 0} onClear={() => void navigate({ to: '/credentials', search: {} })} />
      }
    />
  );
}

function NoCredentials({ any, onClear }: { any: boolean; onClear(): void }) {
  const icon = <ShieldCheck size={20} />;
  if (any) {
    return <Empty icon={icon} title="No credential matches" action={<Button onClick={onClear}>Clear the filter</Button>} />;
  }
  return (
    <Empty icon={icon} title="No credentials yet" action={newButton}>
      A credential holds what a node needs to sign in to a service. It is stored encrypted, and its secrets are never shown
      again.
    </Empty>
  );
}

function columnsOf(types: readonly CredentialTypeSummary[], projects: readonly Project[]): Column<Credential>[] {
  const typeNames = new Map(types.map(({ name, displayName }) => [name, displayName]));
  const projectLabels = new Map(projects.map((project) => [project.id, labelOf(project)]));
  const typeOf = ({ type }: Credential) => typeNames.get(type) ?? type;
  const projectOf = ({ projectId }: Credential) => projectLabels.get(projectId) ?? projectId;
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 2fr)',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ id, name }) => (
        <Link to="/credentials/$credentialId" params={{ credentialId: id }} className="row-link">
          {name}
        </Link>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      width: 'minmax(110px, 1fr)',
      sortBy: (one) => typeOf(one).toLowerCase(),
      cell: (one) => <span className="muted">{typeOf(one)}</span>,
    },
    {
      id: 'project',
      header: 'Project',
      width: 'minmax(120px, 1fr)',
      wideOnly: true,
      sortBy: (one) => projectOf(one).toLowerCase(),
      cell: (one) => <span className="muted">{projectOf(one)}</span>,
    },
    {
      id: 'marks',
      header: 'Access and limits',
      width: 'minmax(120px, 1fr)',
      wideOnly: true,
      cell: (one) => <Marks {...one} />,
    },
    timeColumn('Changed', ({ updatedAt }) => updatedAt),
  ];
}

function Marks({ isGlobal, isManaged, concurrency, ratePerSecond }: Credential) {
  return (
    <span className="row">
      {isGlobal && <Badge tone="running">All projects</Badge>}
      {isManaged && <Badge>Managed</Badge>}
      {concurrency !== null && <Badge tone="waiting">{concurrency} at once</Badge>}
      {ratePerSecond !== null && <Badge tone="waiting">{ratePerSecond}/s</Badge>}
    </span>
  );
}
