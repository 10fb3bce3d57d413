import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { isTrigger, latestVersion } from '../../data/node-type-facts.ts';
import { type NodeType, nodeTypeList } from '../../data/node-types.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Select } from '../../ui/fields.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { matches } from '../../ui/matches.ts';
import { NodeIcon } from '../../ui/node-icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import './node-types.css';
import { withCode } from '../../ui/with-code.tsx';

/** The node types that workflows may use. */
export function NodeTypesPage() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const { q = '', kind = '', package: chosen = '' } = search;
  const types = useQuery(nodeTypeList);
  const isMatch = (type: NodeType) =>
    matches(q, [type.displayName, type.type, type.description ?? '']) &&
    (kind === '' || isTrigger(type) === (kind === 'trigger')) &&
    (chosen === '' || packageOf(type) === chosen);
  const choose = (next: Record<string, string>) =>
    void navigate({ to: '/node-types', search: { ...search, ...next }, replace: true });
  const packages = [...new Set(types.data?.map(packageOf))];
  return (
    <ListPage
      title="Node types"
      query={types}
      filter={isMatch}
      toolbar={
        <>
          <SearchField label="Search node types" value={q} onChange={(text) => choose({ q: text })} />
          <Select
            aria-label="Kind"
            value={kind}
            onChange={(next) => choose({ kind: next })}
            options={[
              { value: '', label: 'All kinds' },
              { value: 'trigger', label: 'Triggers' },
              { value: 'action', label: 'Other nodes' },
            ]}
          />
          {packages.length > 1 && (
            <Select
              aria-label="Package"
              value={chosen}
              onChange={(next) => choose({ package: next })}
              options={[{ value: '', label: 'All packages' }, ...packages.map((name) => ({ value: name, label: name }))]}
            />
          )}
        </>
      }
      columns={columns}
      rowKey={({ type }) => type}
      rowHeight={46}
      onOpen={({ type }) => void navigate({ to: '/node-types/$type', params: { type } })}
      empty={
        <Empty
          icon={<Boxes size={20} />}
          title="No node type matches"
          action={<Button onClick={() => void navigate({ to: '/node-types', search: {} })}>Clear the filter</Button>}
        />
      }
    />
  );
}

const columns: readonly Column<NodeType>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(160px, 1fr)',
    sortBy: ({ displayName }) => displayName.toLowerCase(),
    cell: (type) => (
      <span className="row">
        <span className="node-tile">
          <NodeIcon type={type.type} size={15} />
        </span>
        <Link to="/node-types/$type" params={{ type: type.type }} className="row-link truncate">
          {type.displayName}
        </Link>
        {isTrigger(type) && <Badge tone="running">Trigger</Badge>}
      </span>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    width: 'minmax(160px, 2fr)',
    wideOnly: true,
    cell: ({ description }) => (
      <span className="muted" title={description}>
        {withCode(description ?? '')}
      </span>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    width: '190px',
    wideOnly: true,
    sortBy: ({ type }) => type,
    cell: ({ type }) => <code className="muted">{type}</code>,
  },
  { id: 'version', header: 'Version', width: '70px', align: 'end', cell: latestVersion },
];

/** `base` of `base.if`: the package that defines it. */
function packageOf({ type }: NodeType): string {
  return type.slice(0, type.lastIndexOf('.'));
}
