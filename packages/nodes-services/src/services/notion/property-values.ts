import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { localTime } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idIn, pageUrl } from './notion-client.ts';
import { plainRichText, richTextOf } from './rich-text.ts';

/** Page properties in API format, from the entries of `propertiesUi`. */
export function propertiesOf(item: ServiceItem, title?: string): JsonObject {
  const written = item.entries('propertiesUi.propertyValues').flatMap((entry): [string, string, JsonValue][] => {
    const { name, type } = keyOf(item, entry);
    const value = writtenValue(item, type, entry);
    return entry['ignoreIfEmpty'] === true && isEmpty(value) ? [] : [[name, type, { [type]: value }]];
  });
  const hasTitle = written.some(([, type]) => type === 'title');
  // Every database has one title, whose ID is `title` regardless of its name.
  const own: [string, JsonValue][] = title && !hasTitle ? [['title', { title: plainRichText(title) }]] : [];
  return Object.fromEntries([...own, ...written.map(([name, , value]): [string, JsonValue] => [name, value])]);
}

/** `Due Date|date`: a property's name and type. */
export function keyOf(item: ServiceItem, entry: JsonObject): { name: string; type: string } {
  const key = asText(entry['key']);
  const at = key.lastIndexOf('|');
  const type = at < 0 ? asText(entry['type']) : key.slice(at + 1);
  if (type !== '') return { name: at < 0 ? key : key.slice(0, at), type };
  throw item.error(`the property "${key}" has no type`, 'Choose the property, or write name and type: `Due Date|date`');
}

type Writer = (entry: JsonObject, item: ServiceItem) => JsonValue;

const textIn =
  (field: string): Writer =>
  (entry) =>
    asText(entry[field]) || null;
const optionIn =
  (field: string): Writer =>
  (entry) =>
    isEmpty(entry[field]) ? null : optionOf(asText(entry[field]));

/** Property type → its value: https://developers.notion.com/reference/page-property-values */
const writers: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['title', (entry) => plainRichText(asText(entry['title']))],
  ['rich_text', richTextOf],
  ['phone_number', textIn('phoneValue')],
  ['email', textIn('emailValue')],
  ['url', textIn('urlValue')],
  ['select', optionIn('selectValue')],
  ['status', optionIn('statusValue')],
  ['multi_select', (entry) => namesIn(entry['multiSelectValue']).map(optionOf)],
  ['people', (entry) => namesIn(entry['peopleValue']).map((id) => ({ object: 'user', id }))],
  ['relation', (entry) => namesIn(entry['relationValue']).map((id) => ({ id: idIn(id, pageUrl) }))],
  ['checkbox', (entry) => entry['checkboxValue'] === true || entry['checkboxValue'] === 'true'],
  ['number', numberOf],
  ['date', dateOf],
  ['files', filesOf],
]);

function writtenValue(item: ServiceItem, type: string, entry: JsonObject): JsonValue {
  const write = writers.get(type);
  if (write) return write(entry, item);
  throw item.error(
    `properties of the type "${type.slice(0, 100)}" cannot be written`,
    `Write a property of one of the types ${[...writers.keys()].join(', ')}`,
  );
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** An option by its name, or by the ID that version 1 editors store. */
function optionOf(option: string): JsonObject {
  return uuid.test(option) ? { id: option } : { name: option };
}

/** A list, or comma-separated text. */
export function namesIn(value: JsonValue | undefined): string[] {
  const list = [value ?? []].flat(2).flatMap((one) => (typeof one === 'string' ? one.split(',') : [asText(one)]));
  return list.map((one) => one.trim()).filter((one) => one !== '');
}

function numberOf(entry: JsonObject, item: ServiceItem): JsonValue {
  const { numberValue = '' } = entry;
  if (isEmpty(numberValue)) return null;
  const number = Number(numberValue);
  if (Number.isFinite(number)) return number;
  throw item.error(`the value of "${keyOf(item, entry).name}" is not a number`, 'Set it to a number, or leave it empty');
}

function filesOf(entry: JsonObject): JsonValue {
  return objectsOf(objectOf(entry['fileUrls'])['fileUrl']).map(({ name, url }) => ({
    name: asText(name) || asText(url),
    type: 'external',
    external: { url: asText(url) },
  }));
}

function dateOf(entry: JsonObject, item: ServiceItem): JsonValue {
  const isRange = entry['range'] === true;
  const [start, end] = isRange ? [entry['dateStart'], entry['dateEnd']] : [entry['date'], undefined];
  if (isEmpty(start)) return null;
  const chosen = asText(entry['timezone']) || 'default';
  const hasTime = entry['includeTime'] !== false;
  const zone = chosen === 'default' ? item.context.workflow.timezone : chosen;
  const at = (value: JsonValue | undefined) => {
    const local = localTime(value ?? '', zone);
    if (!local) throw noDate(item, entry);
    if (!hasTime) return local.date;
    return `${local.date}T${local.time}${chosen === 'default' ? local.offset : ''}`;
  };
  const timeZone: JsonObject = hasTime && chosen !== 'default' ? { time_zone: zone } : {};
  return { start: at(start), ...(!isEmpty(end) && { end: at(end) }), ...timeZone };
}

function noDate(item: ServiceItem, entry: JsonObject): Error {
  const description = 'Set it to a date such as 2026-01-31T14:00:00, and the time zone to a name such as Europe/Berlin';
  return item.error(`the value of "${keyOf(item, entry).name}" is not a date`, description);
}
