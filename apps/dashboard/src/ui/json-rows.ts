/** A visible line of a JSON tree. */
export interface JsonRow {
  /** JSON path, which also names the row. */
  path: string;
  depth: number;
  /** Key of the object, or index of the array; absent for the root. */
  name?: string;
  value: unknown;
  /** Entries of an object or array. */
  size?: number;
  isOpen: boolean;
  /** Entries of the level that follow without rows; only in a row that ends a long level. */
  more?: number;
}

/** Entries of one level that are shown; a longer one ends in a row with `more`. A search covers all. */
const maxEntries = 1_000;

interface Options {
  /** Rows whose state differs from the default, which opens the first levels. */
  toggled: ReadonlySet<string>;
  openDepth: number;
  /** Lower case; shows only matching rows and those above them, all open. */
  search: string;
}

export function toRows(root: unknown, { toggled, openDepth, search }: Options): JsonRow[] {
  const rows: JsonRow[] = [];
  const visit = (value: unknown, path: string, depth: number, name?: string): boolean => {
    const entries = entriesOf(value);
    const isOpen = entries !== undefined && (search !== '' || depth < openDepth !== toggled.has(path));
    const at = rows.length;
    rows.push({ path, depth, value, isOpen, ...(name !== undefined && { name }), ...(entries && { size: entries.length }) });
    const isMatch = search !== '' && matches(value, name, search);
    const hasMatch = (isOpen && visitAll(value, entries, path, depth + 1)) || isMatch;
    if (search !== '' && !hasMatch && depth > 0) rows.length = at;
    return hasMatch;
  };
  const visitAll = (parent: unknown, entries: readonly [string, unknown][], path: string, depth: number): boolean => {
    const shown = search === '' ? entries.slice(0, maxEntries) : entries;
    let hasMatch = false;
    for (const [key, value] of shown) hasMatch = visit(value, `${path}${segment(key, parent)}`, depth, key) || hasMatch;
    const more = entries.length - shown.length;
    if (more > 0) rows.push({ path: `${path}…`, depth, value: undefined, isOpen: false, more });
    return hasMatch;
  };
  visit(root, '$', 0);
  return rows;
}

function entriesOf(value: unknown): [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

function matches(value: unknown, name: string | undefined, search: string): boolean {
  if (name?.toLowerCase().includes(search)) return true;
  return (typeof value !== 'object' || value === null) && String(value).toLowerCase().includes(search);
}

function segment(key: string, parent: unknown): string {
  if (Array.isArray(parent)) return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
