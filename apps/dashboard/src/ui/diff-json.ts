export interface Difference {
  path: string;
  /** Absent: the value is only on the other side. */
  left?: unknown;
  right?: unknown;
}

export const maxDifferences = 200;

/** The values that differ, by path; at most `limit`. */
export function diffJson(left: unknown, right: unknown, limit = maxDifferences): Difference[] {
  const found: Difference[] = [];
  compare(left, right, '$', found, limit);
  return found;
}

function compare(left: unknown, right: unknown, path: string, found: Difference[], limit: number): void {
  if (found.length >= limit || Object.is(left, right)) return;
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    found.push({ path, left, right });
    return;
  }
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const childPath = Array.isArray(left) ? `${path}[${name}]` : `${path}.${name}`;
    const [a, b] = [left[name], right[name]];
    if (name in left && name in right) compare(a, b, childPath, found, limit);
    else if (found.length < limit) found.push(name in left ? { path: childPath, left: a } : { path: childPath, right: b });
  }
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
