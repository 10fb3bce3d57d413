export interface Difference {
  path: string;
  /** Absent: the value is only on the other side. */
  left?: unknown;
  right?: unknown;
}

interface Options {
  /** Path of the values. */
  root?: string;
  /** Maximum number of differences reported. */
  limit?: number;
}

export const maxDifferences = 200;

/** The values that differ, by path: `$.orders[0].total`. */
export function diffJson(left: unknown, right: unknown, { root = '$', limit = maxDifferences }: Options = {}): Difference[] {
  const differences: Difference[] = [];
  compare(left, right, root, differences, limit);
  return differences;
}

function compare(left: unknown, right: unknown, path: string, differences: Difference[], limit: number): void {
  if (differences.length >= limit || Object.is(left, right)) return;
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    differences.push({ path, left, right });
    return;
  }
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const childPath = pathOf(name, left, path);
    const [a, b] = [left[name], right[name]];
    const [hasLeft, hasRight] = [Object.hasOwn(left, name), Object.hasOwn(right, name)];
    if (hasLeft && hasRight) compare(a, b, childPath, differences, limit);
    else if (differences.length < limit)
      differences.push(hasLeft ? { path: childPath, left: a } : { path: childPath, right: b });
  }
}

function pathOf(name: string, parent: object, path: string): string {
  if (Array.isArray(parent)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
