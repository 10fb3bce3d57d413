import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type MouseEventHandler,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { cx } from './cx.ts';
import { Time } from './time.tsx';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
});

export interface Column<T> {
  id: string;
  header: ReactNode;
  /** Track of the grid: `120px`, `minmax(160px, 2fr)`. */
  width: string;
  cell(row: T): ReactNode;
  /** Makes the column sortable, for tables that have all their rows. */
  sortBy?(row: T): string | number;
  align?: 'end';
  /** Omitted where the table is narrow. */
  wideOnly?: boolean;
}

/** The last column, with a menu in each row. */
export function actionsColumn<T>(cell: (row: T) => ReactNode): Column<T> {
  return { id: 'actions', header: <span className="sr-only">Actions</span>, width: '32px', cell };
}

/** A column with a time, by which the table can be sorted. */
export function timeColumn<T>(header: string, at: (row: T) => string, options: Partial<Column<T>> = {}): Column<T> {
  return { id: header, header, width: '110px', sortBy: at, cell: (row) => <Time at={at(row)} />, ...options };
}

interface DataTableProps<T> {
  /** Name for screen readers. */
  label: string;
  /** Stable: defined outside of the component, or memoized. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey(row: T): string;
  /** At Enter or a click on a row. */
  onOpen?(row: T): void;
  /** Near the last row, to load the next page. */
  onEnd?(): void;
  /** Rows that exist, when not all are loaded. */
  total?: number;
  /** Key of the row that is shown as selected. */
  selected?: string | undefined;
  /** Fixed height of a row, in pixels. */
  rowHeight?: number;
  /** Shown below the header when there are no rows. */
  empty?: ReactNode;
}

/**
 * A table of any length: only the visible rows are in the document. Arrows, Home, End and Page keys
 * move, and Enter opens.
 */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, onOpen, onEnd, total = rows.length, selected, rowHeight = 40, empty } = props;
  const defs = useMemo(() => columns.map(toDef), [columns]);
  const table = useTable({ features, columns: defs, data: rows as T[], getRowId: rowKey });
  const sorted = table.getRowModel().rows;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  // Stable functions: a new function makes the virtualizer measure every row again at each frame.
  const getItemKey = useCallback((index: number) => sorted[index]?.id ?? index, [sorted]);
  const estimateSize = useCallback(() => rowHeight, [rowHeight]);
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (sorted.length > 0 && last >= sorted.length - 20) onEnd?.();
  }, [last, sorted.length, onEnd]);

  const move = (index: number) => {
    setActive(index);
    virtualizer.scrollToIndex(index);
    const row = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    const rendered = row();
    // At once where possible: the next key acts on the row with the focus.
    if (rendered) rendered.focus();
    else requestAnimationFrame(() => row()?.focus());
  };
  const open = (index: number) => {
    const row = sorted[index];
    if (row) onOpen?.(row.original);
  };
  return (
    // Not a table element: rows are positioned.
    <div
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      className="table"
      ref={scroller}
      style={tracksOf(columns)}
      onKeyDown={(event) => handleKey(event, { active, last: sorted.length - 1, rowHeight, move, open })}
    >
      <div role="rowgroup" className="table-head">
        {/* biome-ignore lint/a11y/useFocusableInteractive: rows of headers have buttons */}
        <div role="row" aria-rowindex={1} className="table-row">
          {table.getHeaderGroups()[0]?.headers.map(({ id, column }, index) => (
            <HeaderCell
              key={id}
              column={columns[index] as Column<T>}
              direction={column.getIsSorted()}
              onSort={column.getToggleSortingHandler()}
            />
          ))}
        </div>
      </div>
      {sorted.length === 0 && empty && (
        <div role="rowgroup">
          {/* biome-ignore lint/a11y/useFocusableInteractive: it has nothing to open */}
          <div role="row">
            <div role="cell">{empty}</div>
          </div>
        </div>
      )}
      <div role="rowgroup" className="table-body" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = sorted[index];
          if (!row) return null;
          return (
            <TableRow
              key={row.id}
              row={row.original}
              columns={columns}
              index={index}
              start={start}
              height={rowHeight}
              isActive={index === Math.min(active, sorted.length - 1)}
              isSelected={row.id === selected}
              onFocus={setActive}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The columns as tracks of the grid, all and without those that narrow tables omit. */
function tracksOf<T>(columns: readonly Column<T>[]): CSSProperties {
  const tracks = (shown: readonly Column<T>[]) => shown.map(({ width }) => width).join(' ');
  return {
    '--tracks': tracks(columns),
    '--narrow-tracks': tracks(columns.filter(({ wideOnly }) => !wideOnly)),
  } as CSSProperties;
}

const classOf = <T,>({ align, wideOnly }: Column<T>) => cx('table-cell', align, wideOnly && 'wide-only');

interface HeaderCellProps<T> {
  column: Column<T>;
  /** False: the table is not sorted by the column. */
  direction: 'asc' | 'desc' | false;
  onSort: MouseEventHandler | undefined;
}

function HeaderCell<T>({ column, direction, onSort }: HeaderCellProps<T>) {
  const sort = direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined;
  return (
    <div role="columnheader" tabIndex={-1} aria-sort={sort} className={classOf(column)}>
      {column.sortBy ? (
        <button type="button" className="sort" onClick={onSort}>
          {column.header}
          {direction === 'asc' && <ArrowUp size={12} />}
          {direction === 'desc' && <ArrowDown size={12} />}
        </button>
      ) : (
        column.header
      )}
    </div>
  );
}

interface TableRowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  index: number;
  /** Pixels from the start of the rows. */
  start: number;
  height: number;
  /** Whether the tab key reaches it. */
  isActive: boolean;
  isSelected: boolean;
  onFocus(index: number): void;
  onOpen: ((row: T) => void) | undefined;
}

function Row<T>({ row, columns, index, start, height, isActive, isSelected, onFocus, onOpen }: TableRowProps<T>) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table handles keys
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      className={cx('table-row', onOpen && 'can-open', isSelected && 'is-selected')}
      style={{ height, transform: `translateY(${start}px)` }}
      onFocus={() => onFocus(index)}
      onClick={(event) => isPlainClick(event) && onOpen?.(row)}
    >
      {columns.map((column) => (
        <div role="cell" key={column.id} className={classOf(column)}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Scrolling renders the rows that come into view only: links and menus make a row expensive. */
const TableRow = memo(Row) as typeof Row;

function toDef<T extends RowData>({ id, sortBy }: Column<T>): ColumnDef<typeof features, T> {
  return {
    id,
    accessorFn: (row) => sortBy?.(row) ?? '',
    enableSorting: sortBy !== undefined,
    sortFn: 'basic',
  };
}

interface KeyOptions {
  /** Row that the tab key reaches. */
  active: number;
  last: number;
  rowHeight: number;
  move(index: number): void;
  open(index: number): void;
}

/** Moves the focus between rows, and opens a row. */
function handleKey(event: KeyboardEvent, { active, last, rowHeight, move, open }: KeyOptions): void {
  if (!isOfTable(event)) return;
  const target = event.target as HTMLElement;
  const page = Math.floor(event.currentTarget.clientHeight / rowHeight) - 1;
  // Rows that arrive move the row with the focus.
  const focused = target.closest<HTMLElement>('[data-index]')?.dataset['index'];
  const current = focused === undefined ? active : Number(focused);
  const targets: Record<string, number> = {
    ArrowDown: current + 1,
    j: current + 1,
    ArrowUp: current - 1,
    k: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: last,
  };
  const next = targets[event.key];
  if (next !== undefined) move(Math.max(0, Math.min(last, next)));
  else if (event.key === 'Enter' && target.dataset['index'] !== undefined) open(current);
  else return;
  // Enter must not also press the button of a dialog that opens and gets the focus.
  event.preventDefault();
}

/** React also passes key events of row menus, which are elsewhere in the document. */
function isOfTable({ target, currentTarget, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey) return false;
  return target instanceof Element && currentTarget.contains(target) && !target.matches('input, textarea, select');
}

/**
 * Links, buttons, and fields within a row handle their own events. So do menus and dialogs that
 * belong to it: React passes their events to the row, although they are elsewhere in the document.
 */
function isPlainClick({ target, currentTarget }: MouseEvent): boolean {
  return (
    target instanceof Element && currentTarget.contains(target) && target.closest('a, button, input, label, select') === null
  );
}
