/** A field of items. */
interface SchemaField {
  path: string;
  depth: number;
  name: string;
  /** Types that occur, such as `string` and `null`. */
  types: string[];
  /** Number of values that have the field. */
  count: number;
  example?: string;
}

const maxDepth = 8;
const maxExample = 60;

interface Shape {
  types: Set<string>;
  count: number;
  example?: string;
  fields: Map<string, Shape>;
}

/** The fields of values with their types, in the order of their first occurrence. */
export function schemaOf(values: readonly unknown[]): SchemaField[] {
  const root = emptyShape();
  for (const value of values) addTo(root, value, 0);
  return [...root.fields].flatMap(([name, shape]) => toFields(name, name, shape, 0));
}

function emptyShape(): Shape {
  return { types: new Set(), count: 0, fields: new Map() };
}

function addTo(shape: Shape, value: unknown, depth: number): void {
  shape.count += 1;
  shape.types.add(typeOf(value));
  if (typeof value !== 'object' || value === null) {
    shape.example ??= String(value).slice(0, maxExample);
    return;
  }
  if (depth === maxDepth) return;
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.slice(0, 100).map((entry) => ['[ ]', entry])
    : Object.entries(value);
  for (const [name, child] of entries) {
    const field = shape.fields.get(name) ?? emptyShape();
    shape.fields.set(name, field);
    addTo(field, child, depth + 1);
  }
}

function toFields(name: string, path: string, shape: Shape, depth: number): SchemaField[] {
  const { types, count, example, fields } = shape;
  const own = { path, depth, name, types: [...types], count, ...(example !== undefined && { example }) };
  const children = [...fields].flatMap(([child, childShape]) => {
    const childPath = child === '[ ]' ? `${path}[ ]` : `${path}.${child}`;
    return toFields(child, childPath, childShape, depth + 1);
  });
  return [own, ...children];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
