import { type NodeProperty, type NodePropertyGroup, parseExactJson } from '@sluice/node-sdk/display';

/** A value of a parameter, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: its shape depends on the property, and authors may have written another
export type Value = any;
export type Values = Readonly<Record<string, Value>>;

/** A value as an object; empty if it is another value. */
export function objectOf(value: Value): Values {
  return typeof value === 'object' && value !== null ? value : {};
}

export function isExpression(value: Value): value is string {
  return typeof value === 'string' && value.startsWith('=');
}

/** A fixed value as an expression with the same result. */
export function toExpression(value: Value): string {
  if (isExpression(value)) return value;
  if (value === undefined || value === null || value === '') return '=';
  return typeof value === 'string' ? `=${value}` : `={{ ${JSON.stringify(value)} }}`;
}

/** Turns an expression into a fixed value: its text if that is a valid value, else the default. */
export function toFixed(value: Value, property: Pick<NodeProperty, 'type' | 'default'>): Value {
  if (!isExpression(value)) return value;
  const text = value.slice(1);
  if (text === '') return property.default;
  const literal = /^\{\{\s(.*)\s\}\}$/s.exec(text)?.[1] ?? text;
  if (property.type === 'string') return text;
  const parsed = parsedOr(undefined, literal);
  return typeof parsed === typeof property.default ? parsed : property.default;
}

function parsedOr(fallback: Value, text: string): Value {
  try {
    return parseExactJson(text);
  } catch {
    return fallback;
  }
}

/** The text in which a JSON value is edited. */
export function toJsonText(value: Value): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Reads edited text: as text if the property contains text, else as JSON, or throws. */
export function fromJsonText(text: string, { default: fallback }: Pick<NodeProperty, 'default'>): Value {
  return typeof fallback === 'string' ? text : parseExactJson(text === '' ? 'null' : text);
}

export function isMultiple({ typeOptions }: Pick<NodeProperty, 'typeOptions'>): boolean {
  return typeOptions?.['multipleValues'] === true;
}

/** A new entry of a group: the defaults of its members, unless the service adds them. */
export function newEntry(group: NodePropertyGroup): Values {
  return Object.fromEntries(group.values.filter(isPlain).map(({ name, default: value }) => [name, value]));
}

const isPlain = ({ displayOptions, type }: NodeProperty) => displayOptions === undefined && type !== 'notice';

/** The list without the entry at `index`. */
export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_one, at) => at !== index);
}

/** The list with `entry` at `index`. */
export function withEntry<T>(list: readonly T[], index: number, entry: T): T[] {
  return list.map((one, at) => (at === index ? entry : one));
}
