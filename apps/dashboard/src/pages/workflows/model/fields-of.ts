/** A field of an item, and the expression that reads it. */
interface ItemField {
  /** Dotted path: `body.items.0.price`. */
  path: string;
  expression: string;
  /** Its value if it is short to show. */
  example?: string;
}

const maxFields = 100;
const maxDepth = 4;
const maxExample = 40;

/** The fields of an item's JSON, outer fields before nested ones. For lists, the first entry. */
export function fieldsOf(item: unknown): ItemField[] {
  const fields: ItemField[] = [];
  const visit = (value: unknown, path: string, expression: string, depth: number) => {
    if (typeof value !== 'object' || value === null || depth >= maxDepth) return;
    const entries = Array.isArray(value) ? Object.entries(value.slice(0, 1)) : Object.entries(value);
    for (const [key, child] of entries) {
      if (fields.length >= maxFields) return;
      const at = { path: path === '' ? key : `${path}.${key}`, expression: `${expression}${access(key, value)}` };
      const example = exampleOf(child);
      fields.push({ ...at, ...(example !== undefined && { example }) });
      visit(child, at.path, at.expression, depth + 1);
    }
  };
  visit(item, '', '$json', 0);
  return fields;
}

function access(key: string, parent: object): string {
  if (Array.isArray(parent)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function exampleOf(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const text = String(value);
  return text.length > maxExample ? `${text.slice(0, maxExample - 1)}…` : text;
}

/** Inserts an expression in a template: in its own braces, unless the place has braces. */
export function insertExpression(text: string, at: number, expression: string): string {
  const before = text.slice(0, at);
  const isInside = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  return `${before}${isInside ? expression : `{{ ${expression} }}`}${text.slice(at)}`;
}
