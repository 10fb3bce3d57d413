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

/** Maximum number of entries per level; a longer level ends in `more`. A search covers all. */
const maxEntries = 1_000;
/** Number of entries visited in one step. */
const stepEntries = 1_000;

interface Options {
  /** Rows whose state differs from the default, which opens the first levels. */
  toggled: ReadonlySet<string>;
  openDepth: number;
  /** Lower case; shows only matching rows and those above them, all open. */
  search: string;
}

/** Finds the rows in steps: a search of run data may visit a million entries. */
export function* toRows(root: unknown, { toggled, openDepth, search }: Options): Generator<undefined, JsonRow[]> {
  const rows: JsonRow[] = [];
  let visited = 0;
  function* visit(value: unknown, path: string, depth: number, name?: string): Generator<undefined, boolean> {
    visited += 1;
    if (visited % stepEntries === 0) yield;
    const size = sizeOf(value);
    const isOpen = size !== undefined && (search !== '' || depth < openDepth !== toggled.has(path));
    const at = rows.length;
    rows.push({ path, depth, value, isOpen, ...(name !== undefined && { name }), ...(size !== undefined && { size }) });
    const isMatch = search !== '' && matches(value, name, search);
    const hasMatch = (isOpen && (yield* visitAll(value as object, path, depth + 1))) || isMatch;
    if (search !== '' && !hasMatch && depth > 0) rows.length = at;
    return hasMatch;
  }
  function* visitAll(parent: object, path: string, depth: number): Generator<undefined, boolean> {
    let [shown, more, hasMatch] = [0, 0, false];
    for (const key of keysOf(parent)) {
      if (shown === maxEntries && search === '') {
        more = (sizeOf(parent) as number) - shown;
        break;
      }
      const at = rows.length;
      const value = (parent as Record<string, unknown>)[key];
      hasMatch = (yield* visit(value, `${path}${segment(key, parent)}`, depth, key)) || hasMatch;
      if (rows.length === at) continue;
      if (shown < maxEntries) shown += 1;
      else {
        rows.length = at;
        more += 1;
      }
    }
    if (more > 0) rows.push({ path: `${path}…`, depth, value: undefined, isOpen: false, more });
    return hasMatch;
  }
  yield* visit(root, '$', 0);
  return rows;
}

/** Number of entries of an object or array; `undefined` for any other value. */
function sizeOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Keys of an object, or indices of an array, one by one: it may have a million. */
function* keysOf(parent: object): Generator<string, void, undefined> {
  if (!Array.isArray(parent)) yield* Object.keys(parent);
  else for (const index of parent.keys()) yield String(index);
}

function matches(value: unknown, name: string | undefined, search: string): boolean {
  if (name?.toLowerCase().includes(search)) return true;
  return (typeof value !== 'object' || value === null) && String(value).toLowerCase().includes(search);
}

function segment(key: string, parent: unknown): string {
  if (Array.isArray(parent)) return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
