import { type JsonObject, type JsonValue, mapSliced, ownProperty } from '@sluice/node-sdk';
import { list, text, toggle } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

export const customProperties = list('customProperties', 'Custom Properties', 'property', [
  text('name', 'Property Name', 'Key of the field, or its name with "Encode Properties"'),
  text('value', 'Property Value', 'Value of the field, or the name of an option with "Encode Properties"', {
    acceptsList: true,
  }),
]);

export const encodeProperties = toggle(
  'encodeProperties',
  'Encode Properties',
  'Whether custom properties are given by the names of fields and options, instead of their keys',
);

export const resolveProperties = toggle(
  'resolveProperties',
  'Resolve Properties',
  'Whether custom properties have the names of fields and options, instead of their keys',
);

interface Field {
  name: string;
  key: string;
  /** Option ID → its name. */
  options: ReadonlyMap<string, string>;
}

const kinds = new OncePerRun<Field[]>();

const fieldsOf = (item: ServiceItem, kind: string): Promise<Field[]> =>
  kinds.get(item.context, kind, () => readFields(item, kind));

async function readFields(item: ServiceItem, kind: string): Promise<Field[]> {
  const paging = cursorPaging('data', 'additional_data.next_cursor', 'cursor');
  const records = await item.list({ path: `/api/v2/${kind}Fields`, query: { limit: 500 } }, paging, Number.POSITIVE_INFINITY);
  return mapSliced(records, ({ field_name: name = '', field_code: key = '', options }) => ({
    name: asText(name),
    key: asText(key),
    options: new Map(objectsOf(options).map(({ id = '', label = '' }) => [asText(id), asText(label)])),
  }));
}

/** Custom field keys are hashes; other names belong to standard fields. */
const isHash = (key: string) => /^[0-9a-f]{40}$/.test(key);

/** Maximum number of members in a collection. */
const maxProperties = 1_000;

/** A collection's custom properties: hashed keys in `custom_fields`, other names next to it. */
export async function customOf(item: ServiceItem, path: string, kind: string): Promise<JsonObject> {
  const entries = item.entries(`${path}.customProperties.property`);
  if (entries.length > maxProperties)
    throw item.error(`more than ${maxProperties} custom properties are set`, 'Set the properties that Pipedrive has');
  const values = entries.map(({ name = '', value = null }): [string, JsonValue] => [asText(name), value]);
  if (values.length === 0) return {};
  const pairs = item.toggle('encodeProperties') ? encoded(await fieldsOf(item, kind), values) : values;
  const custom = pairs.filter(([key]) => isHash(key));
  const usual = pairs.filter(([key]) => !isHash(key));
  return { ...Object.fromEntries(usual), ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }) };
}

function encoded(fields: readonly Field[], values: readonly [string, JsonValue][]): [string, JsonValue][] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return values.map(([name, value]) => {
    const field = byName.get(name);
    if (!field) return [name, value];
    const ids = new Map([...field.options].map(([id, label]) => [label, Number(id)]));
    const idOf = (one: JsonValue): JsonValue => ids.get(asText(one)) ?? one;
    return [field.key, Array.isArray(value) ? value.map(idOf) : idOf(value)];
  });
}

/** Member in API version 2 → its version 1 name, which imported workflows read. */
const earlier = { emails: 'email', phones: 'phone', owner_id: 'user_id' } as const;

/**
 * Records as the node outputs them. If properties are resolved, custom properties use field names
 * and option names. In version 1 of the node, they are at the level of the other members.
 */
export async function shown(item: ServiceItem, records: readonly JsonObject[], kind: string): Promise<JsonObject[]> {
  const fields = item.toggle('resolveProperties') ? await fieldsOf(item, kind) : [];
  const byKey = new Map(fields.map((field) => [field.key, field]));
  return mapSliced(records, (record) => {
    const own = Object.entries(objectOf(record['custom_fields'])).map(([key, value]) => resolved(byKey.get(key), key, value));
    if (item.version >= 2) return { ...record, ...(own.length > 0 && { custom_fields: Object.fromEntries(own) }) };
    const names = Object.entries(earlier).flatMap(([now, before]): [string, JsonValue][] => {
      const value = ownProperty(record, now);
      return value === undefined ? [] : [[before, value]];
    });
    return { ...Object.fromEntries(own), ...Object.fromEntries(names), ...record };
  });
}

function resolved(field: Field | undefined, key: string, value: JsonValue): [string, JsonValue] {
  if (!field) return [key, value];
  const labelOf = (one: JsonValue): JsonValue => field.options.get(asText(one)) ?? one;
  return [field.name, Array.isArray(value) ? value.map(labelOf) : labelOf(value)];
}
