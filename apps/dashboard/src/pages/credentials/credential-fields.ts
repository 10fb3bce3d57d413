import type { FormField, FormValues } from '../../ui/form-model.ts';

/** Placeholder of a secret in responses; in a request, it keeps the secret. */
export const redacted = '***REDACTED***';

/** A field of a credential type, in the form of node properties. */
interface Property {
  name: string;
  displayName: string;
  type: string;
  default?: unknown;
  description?: string;
  placeholder?: string;
  required?: boolean;
  options?: readonly { value: string; name: string; description?: string }[];
  typeOptions?: { password?: boolean; rows?: number; minValue?: number; maxValue?: number };
  displayOptions?: { show?: Readonly<Record<string, readonly unknown[]>> };
}

/** The form of a credential type. Hidden fields, such as tokens, are the service's own. */
export function credentialFields(properties: readonly object[]): FormField[] {
  return (properties as readonly Property[]).filter(({ type }) => type !== 'hidden').map(toField);
}

function toField(property: Property): FormField {
  const { name, displayName, description, placeholder, required, options, typeOptions = {}, displayOptions } = property;
  const { rows, minValue, maxValue } = typeOptions;
  const hasInitial = property.default !== undefined && property.default !== '';
  return {
    name,
    label: displayName,
    kind: kindOf(property),
    ...(description && { hint: withoutTicks(description) }),
    ...(placeholder && { placeholder }),
    ...(required && { required }),
    ...(hasInitial && { initial: property.default }),
    ...(options && { choices: options.map((option) => ({ value: option.value, label: option.name })) }),
    ...(rows !== undefined && { rows }),
    ...(minValue !== undefined && { min: minValue }),
    ...(maxValue !== undefined && { max: maxValue }),
    ...(displayOptions?.show && { shownIf: displayOptions.show }),
  };
}

function kindOf({ type, typeOptions }: Property): FormField['kind'] {
  // Masked JSON cannot be edited. A stored secret is not shown.
  if (type === 'json') return 'json';
  if (typeOptions?.password) return 'secret';
  const kinds: Record<string, FormField['kind']> = { options: 'choice', number: 'integer', boolean: 'boolean' };
  return kinds[type] ?? 'text';
}

const withoutTicks = (text: string) => text.replaceAll('`', '');

/** Names of the stored values that the service does not show. */
export function storedSecrets(data: FormValues): Set<string> {
  return new Set(Object.keys(data).filter((name) => data[name] === redacted));
}

/** Stored data as values of the form, in which secrets are empty. */
export function toValues(data: FormValues): FormValues {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== redacted));
}

/** Data for the service. A secret that the user left empty keeps its stored value. */
export function toData(values: FormValues, stored: ReadonlySet<string> = new Set()): Record<string, unknown> {
  const entered = Object.entries(values).filter(([name, value]) => value !== undefined && !(value === '' && stored.has(name)));
  const unchanged = [...stored].map((name) => [name, redacted] as const);
  return { ...Object.fromEntries(unchanged), ...Object.fromEntries(entered) };
}
