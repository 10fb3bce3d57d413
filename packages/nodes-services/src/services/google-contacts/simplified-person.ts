import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { identified } from './google-contacts-client.ts';

/** Members that contain the value of fields with a type. */
const valueMembers: ReadonlyMap<string, string> = new Map([
  ['emailAddresses', 'value'],
  ['phoneNumbers', 'value'],
  ['relations', 'person'],
]);

/**
 * A contact without the metadata of its fields: the first name and birthday, and values by type,
 * such as `{ home: ['ada@example.com'] }`.
 */
export function simplified(person: JsonObject): JsonObject {
  const fields = Object.entries(person).map(([name, value]): [string, JsonValue] => [name, simplifiedField(name, value)]);
  return identified(Object.fromEntries(fields.filter(([name]) => name !== 'metadata')));
}

function simplifiedField(name: string, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  const entries = objectsOf(value).map(({ metadata: _, ...entry }) => entry);
  if (name === 'names') return entries[0] ?? {};
  if (name === 'birthdays') return birthdayOf(entries[0]);
  if (name === 'events') return byType(entries, ({ date }) => dateOf(objectOf(date)));
  if (name === 'addresses') return byType(entries, ({ type: _, formattedType: _formatted, ...address }) => address);
  const member = valueMembers.get(name);
  return member === undefined ? entries : byType(entries, (entry) => entry[member] ?? '');
}

function byType(entries: readonly JsonObject[], read: (entry: JsonObject) => JsonValue): JsonObject {
  const groups = new Map<string, JsonValue[]>();
  for (const entry of entries) {
    const type = asText(entry['type'] ?? 'other');
    const group = groups.get(type);
    if (group) group.push(read(entry));
    else groups.set(type, [read(entry)]);
  }
  return Object.fromEntries(groups);
}

/** `1/31/1990`, or the text that the user typed. */
function birthdayOf(entry: JsonObject = {}): JsonValue {
  const date = objectOf(entry['date']);
  return date['month'] === undefined ? (entry['text'] ?? '') : dateOf(date);
}

/** Members without a value, such as the year of a birthday, are omitted. */
function dateOf({ month, day, year }: JsonObject): string {
  return [month, day, year].filter((part) => part !== undefined && part !== 0).join('/');
}
