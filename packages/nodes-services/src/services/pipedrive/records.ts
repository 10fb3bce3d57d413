import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { customOf, customProperties, encodeProperties, resolveProperties, shown } from './custom-fields.ts';
import { dataOf, listed, numeric, pathOf, searched } from './pipedrive-client.ts';

export const listProperties = listPropertiesOf(100);

/** A kind of record in version 2 of the API. */
interface Kind {
  /** Singular: `person`. */
  noun: string;
  /** Collection path: `persons`. */
  plural: string;
  /** Parameters with the required members. */
  required: readonly NodeProperty[];
  /** Fields of "Additional Fields" and "Update Fields". */
  fields: readonly NodeProperty[];
  /** More parameters of "Create", and their members. */
  create?: { properties: readonly NodeProperty[]; membersOf(item: ServiceItem): JsonObject };
  /** Parameters of "Get Many", their query, and a condition that Pipedrive does not support. */
  filters: readonly NodeProperty[];
  queryOf?(item: ServiceItem): JsonObject;
  keepOf?(item: ServiceItem): ((record: JsonObject) => boolean) | undefined;
}

export const idOf = (noun: string): NodeProperty =>
  text(`${noun}Id`, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ID`, `ID of the ${noun}`, { required: true });

/** The usual operations on a kind of record. */
export function recordOperations(kind: Kind) {
  const { noun, plural, required, fields } = kind;
  const article = /^[ao]/.test(noun) ? 'an' : 'a';
  const root = `/api/v2/${plural}`;
  const path = (item: ServiceItem) => pathOf(item, root, `${noun}Id`);
  const one = async (item: ServiceItem, data: JsonValue) => (await shown(item, [objectOf(data)], noun))[0];
  return {
    create: {
      displayName: 'Create',
      description: `Creates ${article} ${noun}`,
      properties: [
        ...required.map((property) => ({ ...property, required: true })),
        ...(kind.create?.properties ?? []),
        encodeProperties,
        collection('additionalFields', 'Additional Fields', [...fields, customProperties]),
      ],
      async run(item) {
        const own = Object.fromEntries(required.map(({ name }) => [name, item.required(name)]));
        const members = { ...own, ...kind.create?.membersOf(item) };
        const json = { ...membersOf(members), ...(await bodyOf(item, 'additionalFields', noun)) };
        return one(item, await dataOf(item, { path: root, json }));
      },
    },
    delete: {
      displayName: 'Delete',
      description: `Deletes ${article} ${noun}`,
      properties: [idOf(noun)],
      run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
    },
    get: {
      displayName: 'Get',
      description: `Gets ${article} ${noun}`,
      properties: [idOf(noun), resolveProperties],
      run: async (item) => one(item, await dataOf(item, { path: path(item) })),
    },
    getAll: {
      displayName: 'Get Many',
      description: `Lists ${plural}`,
      properties: [...listProperties, resolveProperties, ...kind.filters],
      run: async (item) => shown(item, await listed(item, root, kind.queryOf?.(item), kind.keepOf?.(item)), noun),
    },
    update: {
      displayName: 'Update',
      description: `Changes ${article} ${noun}`,
      properties: [
        idOf(noun),
        encodeProperties,
        collection('updateFields', 'Update Fields', [...required, ...fields, customProperties]),
      ],
      async run(item) {
        const json = await bodyOf(item, 'updateFields', noun);
        return one(item, await dataOf(item, { method: 'PATCH', path: path(item), json }));
      },
    },
  } satisfies Record<string, Operation>;
}

/** Finds records of a kind by a search text. */
export function searchOperation(plural: string, more: readonly NodeProperty[], lead: readonly NodeProperty[] = []): Operation {
  return {
    displayName: 'Search',
    description: `Finds ${plural} by a search text`,
    properties: [
      text('term', 'Term', 'Text to search for, at least 2 characters', { required: true }),
      ...lead,
      ...listProperties,
      collection('additionalFields', 'Additional Fields', [
        names('fields', 'Fields', 'Names of the fields to search; default: all'),
        toggle('rawData', 'Raw Data', 'Whether to return how well a result matches, too'),
        ...more,
      ]),
    ],
    run: (item) => searched(item, plural),
  };
}

export const exactMatch = toggle('exactMatch', 'Exact Match', 'Whether the whole value must match; its case does not matter');

async function bodyOf(item: ServiceItem, path: string, noun: string): Promise<JsonObject> {
  const { customProperties: _, ...fields } = item.fields(path);
  assertShort(item, fields);
  return { ...membersOf(fields), ...(await customOf(item, path, noun)) };
}

const maxValues = 1_000;
const maxListText = 20_000;

function assertShort(item: ServiceItem, fields: JsonObject): void {
  const isLong = ([name, value]: [string, JsonValue]) =>
    Array.isArray(value)
      ? value.length > maxValues
      : typeof value === 'string' && value.length > maxListText && Object.hasOwn(converted, name);
  const [name] = Object.entries(fields).find(isLong) ?? [];
  if (name !== undefined) throw item.error(`the field "${name}" has too many values`, `Send at most ${maxValues} values`);
}

/** Version 1 member → version 2 member. */
const converted: Readonly<Record<string, (value: JsonValue) => JsonObject>> = {
  done: (value) => ({ done: value === true || value === '1' || value === 1 || value === 'true' }),
  email: (value) => ({ emails: contacts(value) }),
  phone: (value) => ({ phones: contacts(value) }),
  label: (value) => ({ label_ids: partsOf(value).map(numeric) }),
  label_ids: (value) => ({ label_ids: partsOf(value).map(numeric) }),
  prices: (value) => ({ prices: objectsOf(objectOf(value)['price']) }),
  user_id: (value) => ({ owner_id: numeric(value) }),
};

const texts = new Set([
  'code',
  'content',
  'currency',
  'description',
  'due_date',
  'due_time',
  'duration',
  'lost_reason',
  'name',
  'note',
  'subject',
  'title',
  'unit',
]);

export function membersOf(fields: JsonObject): JsonObject {
  const pairs = Object.entries(fields).map(([name, value]): JsonObject => {
    const convert = Object.hasOwn(converted, name) ? converted[name] : undefined;
    return convert?.(value) ?? { [name]: texts.has(name) ? value : numeric(value) };
  });
  return Object.fromEntries(pairs.flatMap((pair) => Object.entries(pair)));
}

/** The first address or number is the main one. */
function contacts(value: JsonValue): JsonObject[] {
  return partsOf(value).map((one, index) => ({ value: one, primary: index === 0, label: 'work' }));
}

/** Elements of a list, or of comma-separated text. */
function partsOf(value: JsonValue): string[] {
  const parts = Array.isArray(value) ? value : asText(value ?? '').split(',');
  return parts.map((part) => asText(part ?? '').trim()).filter((part) => part !== '');
}
