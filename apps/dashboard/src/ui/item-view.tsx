import { FileDown, Search } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { ownValue } from '../data/own-value.ts';
import { createPreference } from '../data/preferences.ts';
import type { Branch } from '../data/run-data.ts';
import { useStore } from '../data/store.ts';
import { BinaryFiles } from './binary-files.tsx';
import { CopyButton } from './copy-button.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Select } from './fields.tsx';
import { filesOf } from './files-of.ts';
import { counted, shortened } from './format.ts';
import { JsonTree } from './json-tree.tsx';
import { schemaOf } from './schema-of.ts';
import { Empty } from './states.tsx';
import './item-view.css';

const looks = ['Table', 'JSON', 'Schema', 'Files'] as const;
type Look = (typeof looks)[number];
const look = createPreference<Look>('items.look', 'Table');

/** Items of an input or output, as a table, a JSON tree, a schema, or their files. */
export function ItemView({ branches, label }: { branches: readonly Branch[]; label: string }) {
  const first = Math.max(
    0,
    branches.findIndex(({ items }) => items.length > 0),
  );
  const [chosen, setChosen] = useState<number>();
  const [search, setSearch] = useState('');
  const text = useDeferredValue(search);
  const index = chosen !== undefined && chosen < branches.length ? chosen : first;
  const items = branches[index]?.items ?? [];
  const files = useMemo(() => filesOf(items), [items]);
  const preferred = useStore(look);
  const current: Look = preferred === 'Files' && files.length === 0 ? 'Table' : preferred;
  return (
    <div className="item-view">
      <div className="item-bar">
        {branches.length > 1 && (
          <Select
            aria-label={`${label}: branch`}
            value={String(index)}
            onChange={(value) => setChosen(Number(value))}
            options={branches.map((branch, at) => ({ value: String(at), label: `${branch.label} (${branch.items.length})` }))}
          />
        )}
        <span className="muted nowrap">{counted(items.length, 'item')}</span>
        <label className="search">
          <Search size={13} />
          <span className="sr-only">Search the {label.toLowerCase()}</span>
          <input type="search" placeholder="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </label>
        <fieldset className="segments">
          <legend className="sr-only">Show as</legend>
          {looks
            .filter((name) => name !== 'Files' || files.length > 0)
            .map((name) => (
              <button key={name} type="button" aria-pressed={current === name} onClick={() => look.set(name)}>
                {name}
              </button>
            ))}
        </fieldset>
        {current === 'Table' && items.length > 0 && (
          <CopyButton
            label="Copy items"
            text={() =>
              JSON.stringify(
                items.map(({ json }) => json),
                null,
                2,
              )
            }
          />
        )}
      </div>
      {items.length === 0 ? (
        <Empty icon={<FileDown size={18} />} title="No items" />
      ) : (
        <Content look={current} items={items} files={files} search={text} label={label} />
      )}
    </div>
  );
}

interface ContentProps {
  look: Look;
  items: Branch['items'];
  files: ReturnType<typeof filesOf>;
  search: string;
  label: string;
}

function Content({ look: current, items, files, search, label }: ContentProps) {
  const values = useMemo(() => items.map(({ json }) => json), [items]);
  if (current === 'JSON') return <JsonTree value={values} label={label} search={search} />;
  if (current === 'Schema') return <Schema values={values} search={search} label={label} />;
  if (current === 'Files') return <BinaryFiles files={files} />;
  return <ItemTable values={values} search={search} label={label} />;
}

interface Row {
  key: string;
  index: number;
  value: Record<string, unknown>;
}

/** Maximum number of columns in the table; the tree shows everything. */
const maxColumns = 40;

function ItemTable({ values, search, label }: { values: readonly unknown[]; search: string; label: string }) {
  const names = useMemo(() => columnNames(values), [values]);
  const rows = useMemo<Row[]>(() => {
    const all = values.map((value, index) => ({ key: String(index), index, value: (value ?? {}) as Record<string, unknown> }));
    const searchText = search.trim().toLowerCase();
    return searchText === '' ? all : all.filter(({ value }) => JSON.stringify(value).toLowerCase().includes(searchText));
  }, [values, search]);
  const columns = useMemo<Column<Row>[]>(
    () => [
      { id: '#', header: '#', width: '34px', cell: ({ index }) => <span className="muted">{index}</span> },
      ...names.map((name) => ({
        id: `.${name}`,
        header: name,
        width: 'minmax(110px, 1fr)',
        sortBy: ({ value }: Row) => sortable(ownValue(value, name)),
        cell: ({ value }: Row) => <Cell value={ownValue(value, name)} />,
      })),
    ],
    [names],
  );
  const empty = <Empty title={`Nothing matches “${search}”`} />;
  return (
    <div className="item-table" style={{ '--columns': names.length } as React.CSSProperties}>
      <DataTable label={label} columns={columns} rows={rows} rowKey={({ key }) => key} rowHeight={32} empty={empty} />
    </div>
  );
}

function columnNames(values: readonly unknown[]): string[] {
  const names = new Set<string>();
  for (const value of values.slice(0, 500)) for (const name of Object.keys(value ?? {})) names.add(name);
  return [...names].slice(0, maxColumns);
}

function sortable(value: unknown): string | number {
  return typeof value === 'number' ? value : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Maximum number of characters that a cell shows; the tree shows more. */
const maxText = 1_000;

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return <span className="muted">–</span>;
  const text = shortened(typeof value === 'string' ? value : JSON.stringify(value), maxText);
  return (
    <span title={text} className={typeof value === 'string' ? undefined : 'mono'}>
      {text}
    </span>
  );
}

function Schema({ values, search, label }: { values: readonly unknown[]; search: string; label: string }) {
  const searchText = search.trim().toLowerCase();
  const fields = useMemo(
    () => schemaOf(values).filter(({ path }) => path.toLowerCase().includes(searchText)),
    [values, searchText],
  );
  if (fields.length === 0)
    return <Empty title={searchText === '' ? 'The items have no fields' : `Nothing matches “${search}”`} />;
  return (
    <ul className="schema" aria-label={`${label}: schema`}>
      {fields.map(({ path, depth, name, types, count, example }) => (
        <li key={path} style={{ paddingLeft: 14 + depth * 16 }} title={path}>
          <span className="json-name">{name}</span>
          <span className="type">{types.join(' | ')}</span>
          {depth === 0 && count < values.length && <span className="muted">in {count}</span>}
          {example !== undefined && <span className="muted truncate">{example}</span>}
        </li>
      ))}
    </ul>
  );
}
