import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';

/**
 * A simplified page or database. Since version 2, properties of a database page have names such as
 * `property_due_date`; before, they keep their database names.
 */
export function simplified(record: JsonObject, version: number): JsonObject {
  const { id = null, url = null, properties } = record;
  const title = titleOf(record);
  if (version < 2) return isInDatabase(record) ? { id, ...named(properties, (name) => name) } : { id, title };
  const look = { icon: imageOf(record['icon']), cover: imageOf(record['cover']) };
  const values = isInDatabase(record) ? named(properties, (name) => `property_${snakeCase(name)}`) : {};
  return { id, ...look, name: title, url, ...values };
}

function isInDatabase({ object, parent }: JsonObject): boolean {
  const type = objectOf(parent)['type'];
  return object === 'page' && (type === 'database_id' || type === 'data_source_id');
}

/** The title of a database, or of a page: the property with the ID `title`. */
function titleOf({ title, properties }: JsonObject): string {
  if (Array.isArray(title)) return plainTextOf(title);
  const values = isJsonObject(properties) ? Object.values(properties).filter(isJsonObject) : [];
  return plainTextOf(values.find(({ type }) => type === 'title')?.['title']);
}

function named(properties: JsonValue | undefined, rename: (name: string) => string): JsonObject {
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(entries.map(([name, value]) => [rename(name), isJsonObject(value) ? shortValue(value) : value]));
}

/** `Due Date` and `dueDate` → `due_date` */
export function snakeCase(name: string): string {
  return name
    .slice(0, 1_000)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replaceAll(' ', '_')
    .toLowerCase();
}

type Reader = (value: JsonValue | undefined) => JsonValue;

const nameOf: Reader = (value) => (isJsonObject(value) ? (value['name'] ?? value['id'] ?? null) : null);
const listOf =
  (read: (member: JsonObject) => JsonValue): Reader =>
  (value) =>
    Array.isArray(value) ? value.filter(isJsonObject).map(read) : [];
const typed: Reader = (value) => (isJsonObject(value) ? (ownProperty(value, asText(value['type'])) ?? null) : null);

/**
 * Readers for values that need more than their own JSON:
 * https://developers.notion.com/reference/page-property-values
 */
const readers: ReadonlyMap<JsonValue, Reader> = new Map<JsonValue, Reader>([
  ['title', plainTextOf],
  ['rich_text', plainTextOf],
  ['select', nameOf],
  ['status', nameOf],
  ['created_by', nameOf],
  ['last_edited_by', nameOf],
  ['multi_select', listOf(nameOf)],
  ['people', listOf((person) => emailOf(person) ?? nameOf(person))],
  ['relation', listOf(({ id = null }) => id)],
  ['files', listOf((file) => addressOf(file))],
  ['formula', typed],
  ['rollup', rollupOf],
  ['unique_id', uniqueIdOf],
  ['verification', (value) => (isJsonObject(value) ? (value['state'] ?? null) : null)],
]);

/** A property's simplified value. */
function shortValue(property: JsonObject): JsonValue {
  const { type = '' } = property;
  const value = ownProperty(property, asText(type));
  const reader = readers.get(type);
  return reader ? reader(value) : (value ?? null);
}

export function plainTextOf(value: JsonValue | undefined): string {
  const parts = objectsOf(value);
  return parts.map(({ plain_text: text = '' }) => asText(text)).join('');
}

function emailOf({ person }: JsonObject): JsonValue | undefined {
  return objectOf(person)['email'];
}

function rollupOf(value: JsonValue | undefined): JsonValue {
  const rolled = typed(value);
  return Array.isArray(rolled) ? rolled.filter(isJsonObject).map(shortValue) : rolled;
}

function uniqueIdOf(value: JsonValue | undefined): JsonValue {
  const { prefix, number = null } = objectOf(value);
  return typeof prefix === 'string' && prefix !== '' ? `${prefix}-${number}` : number;
}

function addressOf(file: JsonObject): JsonValue {
  const place = typed(file);
  return isJsonObject(place) ? (place['url'] ?? null) : null;
}

/** An emoji, or an image URL. */
function imageOf(image: JsonValue | undefined): JsonValue {
  const content = typed(image);
  return isJsonObject(content) ? (content['url'] ?? null) : content;
}
