import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { localTime, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { ServiceItem } from '../../shared/service-item.ts';
import { customFields, customFieldsOf } from './salesforce-client.ts';

/** Parameters whose API name is not their own with a capital. */
const apiNames: ReadonlyMap<string, string> = new Map([
  ['owner', 'OwnerId'],
  ['ownerId', 'OwnerId'],
  ['firstname', 'FirstName'],
  ['lastname', 'LastName'],
  // The format spells it this way.
  ['acconuntId', 'AccountId'],
]);

const apiName = (name: string): string => apiNames.get(name) ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** `billingPostalCode` → `Billing Postal Code` */
const title = (name: string): string => apiName(name).replace(/([a-z])([A-Z])/g, '$1 $2');

const flags = /^(is|hasOptedOut)/;
const numeric = new Set(['amount', 'annualRevenue', 'callDurationInSeconds', 'numberOfEmployees', 'probability']);
const days = new Set(['activityDate', 'birthdate', 'closeDate']);

/** Properties of a record's fields. */
export function fieldProperties(names: readonly string[]): NodeProperty[] {
  const properties = names.map((name): NodeProperty => {
    const field = `Field \`${apiName(name)}\` of the record`;
    if (flags.test(name)) return toggle(name, title(name), `Whether ${apiName(name)} is set`);
    if (numeric.has(name)) return number(name, title(name), 0, field);
    return text(name, title(name), field);
  });
  return [...properties, customFields];
}

/** Fields of a record that a collection sets, under their API names. */
export function recordOf(item: ServiceItem, path: string): JsonObject {
  const { customFieldsUi: _, ...fields } = item.fields(path);
  const named = Object.entries(fields).map(([name, value]) => [apiName(name), apiValue(item, name, value)] as const);
  return { ...Object.fromEntries(named), ...customFieldsOf(item, `${path}.customFieldsUi`) };
}

/** A field of the item itself, under its API name. */
export function requiredField(item: ServiceItem, name: string): JsonObject {
  return { [apiName(name)]: apiValue(item, name, item.required(name)) };
}

/** Days have no time in Salesforce. */
function apiValue(item: ServiceItem, name: string, value: JsonValue): JsonValue {
  if (!days.has(name)) return value;
  const day = localTime(typeof value === 'string' ? value.slice(0, 100) : value, item.context.workflow.timezone)?.date;
  if (day !== undefined) return day;
  throw item.error(`the parameter "${name}" is not a date`, 'Set it to a date such as 2026-01-31');
}
