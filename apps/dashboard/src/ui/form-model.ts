import { ownValue } from '../data/own-value.ts';

/** A form field, described by a credential type or a page. */
export interface FormField {
  name: string;
  label: string;
  hint?: string;
  kind: 'text' | 'secret' | 'integer' | 'boolean' | 'choice' | 'json';
  /** Values of a `choice`. */
  choices?: readonly { value: string; label: string }[];
  required?: boolean;
  initial?: unknown;
  placeholder?: string;
  /** Smallest `integer`. */
  min?: number;
  max?: number;
  /** How many lines the field of a `text` or `secret` has; default: 1. */
  rows?: number;
  /** The field applies where each of these fields has one of these values. */
  shownIf?: Readonly<Record<string, readonly unknown[]>>;
}

export type FormValues = Readonly<Record<string, unknown>>;

export function initialValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.filter(({ initial }) => initial !== undefined).map(({ name, initial }) => [name, initial]));
}

/** The values that a user has changed. The others follow what is stored. */
export function changedValues(values: FormValues, stored: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== ownValue(stored, name)));
}

/** Fields that apply to these values. A field that depends on a hidden field is hidden, too. */
export function shownFields(fields: readonly FormField[], values: FormValues): FormField[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const isShown = (field: FormField, visited: ReadonlySet<string>): boolean =>
    Object.entries(field.shownIf ?? {}).every(([name, accepted]) => {
      const other = byName.get(name);
      if (other === undefined || visited.has(name)) return accepted.includes(ownValue(values, name));
      return isShown(other, new Set([...visited, name])) && accepted.includes(ownValue(values, name) ?? other.initial);
    });
  return fields.filter((field) => isShown(field, new Set([field.name])));
}

/** Problems by field that need no service. `stored`: secrets that may stay empty. */
export function problemsOf(
  fields: readonly FormField[],
  values: FormValues,
  stored: ReadonlySet<string> = new Set(),
): Readonly<Record<string, string>> {
  const problems = shownFields(fields, values).map(
    (field) => [field.name, problemOf(field, ownValue(values, field.name), stored)] as const,
  );
  return Object.fromEntries(problems.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function problemOf(field: FormField, value: unknown, stored: ReadonlySet<string>): string | undefined {
  const isEmpty = value === undefined || value === '';
  if (isEmpty) return field.required && !stored.has(field.name) ? 'This is required.' : undefined;
  if (field.kind !== 'integer') return undefined;
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field;
  if (!Number.isInteger(value)) return 'This must be a whole number.';
  if ((value as number) < min) return `This must be at least ${min}.`;
  return (value as number) > max ? `This must be at most ${max}.` : undefined;
}
