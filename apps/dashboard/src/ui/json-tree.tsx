import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';
import { counted, shortened } from './format.ts';
import { inSlices } from './in-slices.ts';
import { type JsonRow, toRows } from './json-rows.ts';

/** Maximum number of characters in a string that are shown; the button copies all. */
const maxText = 5_000;
/** Levels that are open at first. */
const openDepth = 3;

interface JsonTreeProps {
  value: unknown;
  label: string;
  /** Shows only rows with this text, and those above them. */
  search?: string;
}

/** A JSON value as a tree. Arrows move and open, as in file trees. */
export function JsonTree({ value, label, search = '' }: JsonTreeProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState<readonly JsonRow[]>([]);
  // Rows of one slice appear in the first paint. A longer search keeps the previous rows.
  useLayoutEffect(
    () => inSlices(toRows(value, { toggled, openDepth, search: search.trim().toLowerCase() }), setRows),
    [value, toggled, search],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 20,
  });
  const toggle = ({ path, size }: JsonRow) => {
    if (size === undefined) return;
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  };
  const move = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    virtualizer.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    const isFold = (event.key === 'ArrowRight' && !row?.isOpen) || (event.key === 'ArrowLeft' && row?.isOpen);
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (row && (isFold || event.key === 'Enter')) toggle(row);
    else if (row && event.key === 'ArrowLeft')
      move(rows.findLastIndex(({ depth }, index) => index < active && depth < row.depth));
    else return;
    event.preventDefault();
  };
  return (
    <div className="json-tree">
      <CopyButton text={() => JSON.stringify(value, null, 2)} label="Copy as JSON" />
      <div
        ref={scroller}
        className="json-rows"
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={rows[active] && `${id}-${active}`}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: virtualizer.getTotalSize() }} role="presentation">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as JsonRow;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and handles keys
              <div
                key={row.path}
                id={`${id}-${index}`}
                role="treeitem"
                aria-level={row.depth + 1}
                aria-expanded={row.size === undefined ? undefined : row.isOpen}
                aria-selected={index === active}
                className={cx('json-row', index === active && 'is-active', row.size !== undefined && 'can-open')}
                style={{ transform: `translateY(${start}px)`, paddingLeft: 8 + row.depth * 16 }}
                title={row.path}
                onClick={() => {
                  setActive(index);
                  toggle(row);
                }}
              >
                {row.size !== undefined && <ChevronRight size={12} className={cx('fold', row.isOpen && 'is-open')} />}
                {row.name !== undefined && <span className="json-name">{row.name}</span>}
                <JsonValue row={row} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function JsonValue({ row: { value, size, isOpen, more } }: { row: JsonRow }) {
  if (more !== undefined) return <span className="json-size">{`and ${more} more`}</span>;
  if (size !== undefined) {
    const [open, close, unit] = Array.isArray(value) ? ['[', ']', 'item'] : ['{', '}', 'field'];
    const count = counted(size, unit);
    return <span className="json-size">{isOpen ? count : `${open} ${count} ${close}`}</span>;
  }
  const kind = typeof value === 'string' || typeof value === 'number' ? typeof value : 'literal';
  const text = typeof value === 'string' ? JSON.stringify(shortened(value, maxText)) : String(value);
  return <span className={`json-${kind}`}>{text}</span>;
}
