import type { NodeProperty } from '@sluice/node-sdk/display';
import { searchMethodOf } from './search-method.ts';
import type { Value } from './values.ts';

/** A reference to an object at a service, such as a table or a channel. */
export interface Locator {
  mode: string;
  value: string;
  /** Name from the list. */
  cachedResultName?: string;
}

const commonModes = [
  { value: 'id', label: 'By ID' },
  { value: 'url', label: 'By URL' },
  { value: 'name', label: 'By name' },
];

/** Whether a property accepts a reference: by its type, its list, or its value. */
export function isLocator(property: NodeProperty, value: Value): boolean {
  const isReference = typeof value === 'object' && value !== null && value['__rl'] === true;
  return isReference || (property.type as string) === 'resourceLocator' || searchMethodOf(property) !== undefined;
}

/** A value as a reference. Plain text is a reference by list or else by ID. */
export function toLocator(property: NodeProperty, value: Value): Locator {
  const first = modesOf(property)[0]?.value ?? 'id';
  if (typeof value !== 'object' || value === null) {
    const text = value === undefined || value === null ? '' : String(value);
    return { mode: text === '' ? first : 'id', value: text };
  }
  const { mode = first, value: reference = '', cachedResultName } = value;
  return {
    mode: String(mode),
    value: String(reference),
    ...(cachedResultName && { cachedResultName: String(cachedResultName) }),
  };
}

/** The modes in which a property can be set: the modes of its description, or the usual modes. */
export function modesOf(property: NodeProperty): { value: string; label: string }[] {
  const { modes } = property as { modes?: readonly { name: string; displayName?: string }[] };
  if (modes) return modes.map(({ name, displayName = name }) => ({ value: name, label: displayName }));
  return [...(searchMethodOf(property) === undefined ? [] : [{ value: 'list', label: 'From list' }]), ...commonModes];
}
