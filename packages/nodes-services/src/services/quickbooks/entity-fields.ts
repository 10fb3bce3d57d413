import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, number, text, toggle } from '@sluice/nodes-base/node-tools';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * How a parameter becomes an object member: an ID becomes `{ value }`, an address `{ Address }`.
 */
type Kind = 'address' | 'custom' | 'date' | 'email' | 'flag' | 'memo' | 'number' | 'phone' | 'reference' | 'tax' | 'text';

/** An object member that authors can set, under its API name. */
export interface Field {
  name: string;
  displayName: string;
  kind: Kind;
  description?: string;
  /** Values, if there are few. */
  values?: readonly string[];
  /** Method that lists values in editors. */
  loads?: string;
  /** Name of the parameter, if it differs. */
  parameter?: string;
}

export const field = (name: string, displayName: string, kind: Kind = 'text', more: Partial<Field> = {}): Field => ({
  name,
  displayName,
  kind,
  ...more,
});

const details = [
  text('City', 'City', 'City'),
  text('Line1', 'Line 1', 'Street and number'),
  text('Line2', 'Line 2', 'Second line'),
  text('PostalCode', 'Postal Code', 'Postal code'),
  text('CountrySubDivisionCode', 'Country Subdivision Code', 'Code of the state or region, such as `CA`'),
  text('Country', 'Country', 'Country'),
  text('Lat', 'Latitude', 'Latitude'),
  text('Long', 'Longitude', 'Longitude'),
];
const customFields = [
  text('DefinitionId', 'Definition ID', 'ID of the field'),
  text('StringValue', 'Value', 'Value of the field'),
  choice('Type', 'Type', choices(['StringType', 'String'])),
];
const refers = 'ID of the object';

/** A field's parameter. */
export function propertyOf({ name, displayName, kind, description, values, loads, parameter = name }: Field): NodeProperty {
  const words = description ?? displayName;
  switch (kind) {
    case 'address':
      return list(parameter, displayName, 'details', details, { typeOptions: {} });
    case 'custom':
      return list(parameter, displayName, 'Field', customFields);
    case 'flag':
      return toggle(parameter, displayName, description ?? `Whether the value of ${displayName} is set`);
    case 'number':
    case 'tax':
      return number(parameter, displayName, 0, words);
    case 'date':
      return text(parameter, displayName, description ?? 'A date such as 2026-01-31', { type: 'dateTime' });
    case 'reference':
      return text(
        parameter,
        displayName,
        description ?? refers,
        loads === undefined ? {} : { typeOptions: { loadOptionsMethod: loads } },
      );
    default:
      if (values) return choice(parameter, displayName, choices(...values.map((one): [string, string] => [one, one])));
      return text(parameter, displayName, words);
  }
}

/** API object members, from the values of their parameters. Other members are unchanged. */
export function membersOf(item: ServiceItem, fields: readonly Field[], values: JsonObject): JsonObject {
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, memberOf(item, name, value, kinds.get(name))] as const),
  );
}

type Conversion = (value: JsonValue, name: string, item: ServiceItem) => JsonValue;

const asIs: Conversion = (value) => value;

/** Values that are not objects yet. */
const conversions: Readonly<Record<Kind, Conversion>> = {
  address: asIs,
  custom: asIs,
  date: (value) => asText(value).slice(0, 10),
  email: (value) => ({ Address: value }),
  flag: (value) => (value === 'true' || value === 'false' ? value === 'true' : value),
  memo: (value) => ({ value }),
  number: (value, name, item) => numberIn(item, name, value),
  phone: (value) => ({ FreeFormNumber: asText(value) }),
  reference: (value) => ({ value: asText(value) }),
  tax: (value, name, item) => ({ TotalTax: numberIn(item, name, value) }),
  text: asIs,
};

/** Editors store addresses and custom fields in groups. */
const groups: ReadonlyMap<Kind, string> = new Map([
  ['address', 'details'],
  ['custom', 'Field'],
]);

function memberOf(item: ServiceItem, name: string, value: JsonValue, kind: Kind = 'text'): JsonValue {
  if (isJsonObject(value)) return value[groups.get(kind) ?? ''] ?? value;
  return Array.isArray(value) ? value : conversions[kind](value, name, item);
}

export function numberIn(item: ServiceItem, name: string, value: JsonValue): number {
  const numeric = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof numeric === 'number' && Number.isFinite(numeric)) return numeric;
  throw item.error(`the value of "${name}" is not a number`, 'Set it to a number such as 12.5, without a currency');
}
