import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Columns3, Pencil, Plus, Rows3, Trash2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { loadMore } from '../../data/load-more.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { counted, formatCount, formatInstant } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded, Pending } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  type CellValue,
  type DataColumn,
  deleteRow,
  deleteRows,
  type Row,
  renameColumn,
  renameTable,
  type DataTable as Table,
  useDataTable,
  useRows,
} from './data-table-queries.ts';
import './data-tables.css';
import { RowDialog } from './row-dialog.tsx';
import { parseRowFilter, parseSort, type RowFilter } from './row-filter.ts';
import { type FilterTexts, RowFilterBar } from './row-filter-bar.tsx';
import { AddColumnDialog, DeleteColumnDialog, DeleteTableDialog, labelOfType } from './table-dialogs.tsx';

type Open =
  | { kind: 'newRow' | 'addColumn' | 'rename' | 'delete' | 'deleteMany' }
  | { kind: 'row' | 'deleteRow'; row: Row }
  | { kind: 'renameColumn' | 'deleteColumn'; column: DataColumn };

/** One data table: its rows and columns. Filter and order are in the URL. */
export function DataTablePage() {
  const { tableId = '' } = useParams({ strict: false });
  const query = useDataTable(tableId);
  if (query.data) return <Opened key={tableId} table={query.data} />;
  return (
    <Page title="Data table" before={back}>
      <Pending query={query} />
    </Page>
  );
}

const back = <BackLink to="/data-tables" label="All data tables" />;

function Opened({ table }: { table: Table }) {
  const { sort: sortText, column, condition: kind, value } = useSearch({ strict: false }) as FilterTexts & { sort?: string };
  const sort = parseSort(sortText, table.columns);
  const filterTexts = useMemo<FilterTexts>(() => ({ column, condition: kind, value }), [column, kind, value]);
  const navigate = useNavigate();
  const show = useCallback(
    (search: FilterTexts & { sort?: string | undefined }) =>
      void navigate({ to: '/data-tables/$tableId', params: { tableId: table.id }, search, replace: true }),
    [navigate, table.id],
  );
  const condition = parseRowFilter({ ...filterTexts }, table.columns);
  const rows = useRows(table.id, { condition, sortBy: sort });
  const [open, setOpen] = useState<Open>();
  const columns = useMemo(
    () => columnsOf(table, { sort, open: setOpen, onSort: (next) => show({ ...filterTexts, sort: next }) }),
    [table, sort, filterTexts, show],
  );
  const loaded = useMemo(() => (rows.data?.pages.flatMap(({ data }) => data) ?? []) as Row[], [rows.data]);
  const addRow = (
    <Button kind="primary" icon={<Plus size={14} />} onClick={() => setOpen({ kind: 'newRow' })}>
      Add row
    </Button>
  );
  return (
    <Page
      title={table.name}
      before={back}
      after={<span className="muted">{formatCount(table.rowCount)}</span>}
      actions={
        <>
          <Button icon={<Columns3 size={14} />} onClick={() => setOpen({ kind: 'addColumn' })}>
            Add column
          </Button>
          {addRow}
          <TableMenu open={setOpen} hasFilter={condition !== undefined} />
        </>
      }
      fill
    >
      <RowFilterBar columns={table.columns} filter={filterTexts} onChange={(next) => show({ ...next, sort })} />
      <Loaded query={rows} rows={12}>
        {() => (
          <DataTable
            label="Rows"
            columns={columns}
            rows={loaded}
            rowKey={({ id }) => String(id)}
            total={condition ? loaded.length : table.rowCount}
            rowHeight={36}
            onOpen={(row) => setOpen({ kind: 'row', row })}
            onEnd={() => loadMore(rows)}
            empty={
              condition ? (
                <Empty icon={<Rows3 size={20} />} title="No row matches the filter" />
              ) : (
                <Empty icon={<Rows3 size={20} />} title="No rows yet" action={addRow}>
                  Workflows add rows with the Data Table node; other systems use the API.
                </Empty>
              )
            }
          />
        )}
      </Loaded>
      {open && (
        <OpenDialog
          table={table}
          open={open}
          condition={condition}
          onClose={() => setOpen(undefined)}
          onDeleted={() => void navigate({ to: '/data-tables' })}
        />
      )}
    </Page>
  );
}

function TableMenu({ open, hasFilter }: { open(dialog: Open): void; hasFilter: boolean }) {
  return (
    <Menu
      label="More"
      entries={[
        { label: 'Rename the table', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'rename' }) },
        {
          label: hasFilter ? 'Delete the filtered rows' : 'Delete all rows',
          icon: <Trash2 size={14} />,
          danger: true,
          onSelect: () => open({ kind: 'deleteMany' }),
        },
        { label: 'Delete the table', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'delete' }) },
      ]}
    />
  );
}

interface OpenDialogProps {
  table: Table;
  open: Open;
  condition: RowFilter | undefined;
  onClose(): void;
  onDeleted(): void;
}

function OpenDialog({ table, open, condition, onClose, onDeleted }: OpenDialogProps) {
  switch (open.kind) {
    case 'newRow':
      return <RowDialog table={table} onClose={onClose} />;
    case 'row':
      return <RowDialog table={table} row={open.row} onClose={onClose} />;
    case 'deleteRow':
      return <DeleteRowDialog table={table} row={open.row} onClose={onClose} />;
    case 'addColumn':
      return <AddColumnDialog table={table} onClose={onClose} />;
    case 'renameColumn':
      return (
        <NameDialog
          title={`Rename the column ${open.column.name}`}
          name={open.column.name}
          onClose={onClose}
          onSave={(name) => renameColumn(table.id, open.column.id, name)}
        />
      );
    case 'deleteColumn':
      return <DeleteColumnDialog table={table} column={open.column} onClose={onClose} />;
    case 'rename':
      return (
        <NameDialog
          title={`Rename “${table.name}”`}
          name={table.name}
          onClose={onClose}
          onSave={(name) => renameTable(table.id, name)}
        />
      );
    case 'delete':
      return <DeleteTableDialog table={table} onClose={onClose} onDeleted={onDeleted} />;
    case 'deleteMany':
      return <DeleteManyDialog table={table} condition={condition} onClose={onClose} />;
  }
}

function DeleteRowDialog({ table, row, onClose }: { table: Table; row: Row; onClose(): void }) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete row ${row['id']}?`}
      action="Delete"
      danger
      onConfirm={() => deleteRow(table.id, Number(row['id']))}
    >
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function DeleteManyDialog({ table, condition, onClose }: Pick<OpenDialogProps, 'table' | 'condition' | 'onClose'>) {
  const every = { columnName: 'id', condition: 'gte', value: 1 };
  const remove = async () => {
    const count = await deleteRows(table.id, JSON.stringify({ type: 'and', filters: [condition ?? every] }));
    toast.success(`${counted(count, 'row')} deleted`);
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={condition ? 'Delete the filtered rows?' : `Delete all ${formatCount(table.rowCount)} rows?`}
      action="Delete"
      danger
      onConfirm={remove}
    >
      <p>
        {condition ? 'Every row that matches the filter is deleted, including rows that are not loaded yet. ' : ''}
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

interface ColumnOptions {
  sort: string | undefined;
  open(dialog: Open): void;
  onSort(sort: string | undefined): void;
}

function columnsOf(table: Table, { sort, open, onSort }: ColumnOptions): Column<Row>[] {
  const header = (name: string) => <SortButton name={name} sort={sort} onSort={onSort} />;
  const own = table.columns.map(
    (column): Column<Row> => ({
      id: column.id,
      header: (
        <div className="column-head">
          {header(column.name)}
          <ColumnMenu column={column} open={open} />
        </div>
      ),
      width: column.type === 'string' ? 'minmax(180px, 1fr)' : '180px',
      cell: (row) => <Cell value={row[column.name]} type={column.type} />,
    }),
  );
  return [
    { id: 'row-id', header: header('id'), width: '84px', cell: ({ id }) => <span className="mono muted">{id}</span> },
    ...own,
    {
      id: 'row-updated',
      header: header('updatedAt'),
      width: '120px',
      wideOnly: true,
      cell: ({ updatedAt }) => <Time at={String(updatedAt)} />,
    },
    actionsColumn((row) => (
      <Menu
        label={`Actions for row ${row['id']}`}
        entries={[
          { label: 'Edit', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'row', row }) },
          { label: 'Delete', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'deleteRow', row }) },
        ]}
      />
    )),
  ];
}

/** Ascending, descending, then the order of creation. */
function SortButton({ name, sort, onSort }: { name: string } & Pick<ColumnOptions, 'sort' | 'onSort'>) {
  const direction = sort === `${name}:asc` ? 'asc' : sort === `${name}:desc` ? 'desc' : undefined;
  const next = direction === undefined ? `${name}:asc` : direction === 'asc' ? `${name}:desc` : undefined;
  return (
    <button type="button" className="sort truncate" onClick={() => onSort(next)}>
      <span className="truncate">{name}</span>
      {direction === 'asc' && <ArrowUp size={12} aria-label="ascending" />}
      {direction === 'desc' && <ArrowDown size={12} aria-label="descending" />}
    </button>
  );
}

function ColumnMenu({ column, open }: { column: DataColumn; open(dialog: Open): void }) {
  return (
    <>
      <span className="column-type">{labelOfType(column.type)}</span>
      <Menu
        label={`Column ${column.name}`}
        entries={[
          { label: 'Rename', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'renameColumn', column }) },
          { label: 'Delete', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'deleteColumn', column }) },
        ]}
      />
    </>
  );
}

function Cell({ value, type }: { value: CellValue | undefined; type: DataColumn['type'] }) {
  if (value === null || value === undefined) return <span className="muted">–</span>;
  if (type === 'date') return <span className="truncate">{formatInstant(Date.parse(String(value)))}</span>;
  if (type === 'boolean') return <span>{value === true ? 'Yes' : 'No'}</span>;
  return <span className={type === 'number' ? 'mono truncate' : 'truncate'}>{String(value)}</span>;
}
