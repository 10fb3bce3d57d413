import type { JsonValue, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';

/*
 * Builders for properties in node descriptions. Each sets the usual members for its kind; `more`
 * adds or overrides members.
 */

type More = Partial<NodeProperty>;

/** Choices as `[value, name, description]`. */
export const choices = (...values: [value: string, name: string, description?: string][]): NodePropertyOption[] =>
  values.map(([value, name, description]) => (description === undefined ? { value, name } : { value, name, description }));

/** Shown in these versions and for these values of other parameters. */
export const when = (versions: readonly JsonValue[], more: Record<string, readonly JsonValue[]> = {}) => ({
  displayOptions: { show: { '@version': versions, ...more } },
});

/** Shown for these values of other parameters. */
export const where = (show: Record<string, readonly JsonValue[]>) => ({ displayOptions: { show } });

export const text = (name: string, displayName: string, description: string, more: More = {}): NodeProperty => ({
  displayName,
  name,
  type: 'string',
  default: '',
  description,
  ...more,
});

export const number = (
  name: string,
  displayName: string,
  fallback: number,
  description: string,
  more: More = {},
): NodeProperty => ({
  displayName,
  name,
  type: 'number',
  default: fallback,
  description,
  ...more,
});

/** A number with a minimum. */
export const atLeast = (minValue: number, property: NodeProperty): NodeProperty => ({
  ...property,
  typeOptions: { ...property.typeOptions, minValue },
});

/** A number within a range, both ends included. */
export const between = (minValue: number, maxValue: number, property: NodeProperty): NodeProperty => ({
  ...property,
  typeOptions: { ...property.typeOptions, minValue, maxValue },
});

/** Comma-separated names, or a list of names; read with `namesParameter`. */
export const names = (name: string, displayName: string, description: string, more: More = {}): NodeProperty =>
  text(name, displayName, description, { acceptsList: true, ...more });

/** `description` starts with "Whether". */
export const toggle = (name: string, displayName: string, description: string, more: More = {}): NodeProperty => ({
  displayName,
  name,
  type: 'boolean',
  default: false,
  description,
  ...more,
});

/** The first choice is the default unless `more` sets another. */
export const choice = (
  name: string,
  displayName: string,
  options: readonly NodePropertyOption[],
  more: More = {},
): NodeProperty => ({ displayName, name, type: 'options', default: options[0]?.value ?? '', options, ...more });

export const collection = (
  name: string,
  displayName: string,
  options: readonly NodeProperty[],
  more: More = {},
): NodeProperty => ({ displayName, name, type: 'collection', default: {}, options, ...more });

export const options = (members: readonly NodeProperty[], more: More = {}): NodeProperty =>
  collection('options', 'Options', members, more);

/** A list of entries with the same fields, stored as `{ [group]: [entry, …] }`. */
export const list = (
  name: string,
  displayName: string,
  group: string,
  values: readonly NodeProperty[],
  more: More = {},
): NodeProperty => ({
  displayName,
  name,
  type: 'fixedCollection',
  default: {},
  typeOptions: { multipleValues: true },
  options: [{ name: group, displayName, values }],
  ...more,
});

export const disableDotNotation = toggle(
  'disableDotNotation',
  'Disable Dot Notation',
  'Whether dots are part of field names instead of separating nested fields',
);
