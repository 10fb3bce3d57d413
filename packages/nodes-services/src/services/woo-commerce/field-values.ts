import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** Names that differ from the API names by more than case style. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['dateOnSaleFrom', 'date_on_sale_from_gmt'],
  ['dateOnSaleTo', 'date_on_sale_to_gmt'],
  ['decimalPoints', 'dp'],
  ['method ID', 'method_id'],
  ['orderBy', 'orderby'],
  ['paymentMethodId', 'payment_method'],
  ['postalCode', 'postcode'],
  ['transactionID', 'transaction_id'],
]);

const apiName = (name: string): string =>
  otherNames.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const integers: ReadonlySet<string> = new Set(['customerId', 'menuOrder', 'parentId', 'productId', 'quantity', 'variationId']);
const decimals: ReadonlySet<string> = new Set(['stockQuantity']);
const references: ReadonlySet<string> = new Set(['categories', 'tags']);
const ids: ReadonlySet<string> = new Set(['crossSellIds', 'upsellIds']);
const times: ReadonlySet<string> = new Set(['after', 'before', 'dateOnSaleFrom', 'dateOnSaleTo']);
/** Members of a collection or of an entry, under their API names; empty members are omitted. */
export async function apiFields(item: ServiceItem, fields: JsonObject): Promise<JsonObject> {
  const members: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(fields))
    if (value !== '' && value !== null) members.push([apiName(name), await apiValue(item, name, value)]);
  return Object.fromEntries(members);
}

async function apiValue(item: ServiceItem, name: string, value: JsonValue): Promise<JsonValue> {
  if (integers.has(name)) return numberIn(item, name, value, Number.isSafeInteger);
  if (decimals.has(name)) return numberIn(item, name, value, Number.isFinite);
  if (references.has(name)) return idsIn(item, name, value).map((id) => ({ id }));
  if (ids.has(name)) return idsIn(item, name, value);
  if (times.has(name)) return timeIn(item, name, value);
  // Prices, sizes, and postal codes are texts.
  return typeof value === 'number' ? asText(value) : value;
}

function numberIn(item: ServiceItem, name: string, value: JsonValue, isValid: (number: number) => boolean): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && isValid(number)) return number;
  throw item.error(`the value of "${name}" is not a number`, 'Set it to a number, without a currency or a name');
}

/** IDs, as a list or separated by commas. */
function idsIn(item: ServiceItem, name: string, value: JsonValue): number[] {
  const values = Array.isArray(value) ? value : asText(value).split(',');
  return values.map((one) => numberIn(item, name, one, Number.isSafeInteger));
}

/** UTC without an offset. Text without an offset is in the workflow's time zone. */
async function timeIn(item: ServiceItem, name: string, value: JsonValue): Promise<string> {
  return (await item.utcTime(name, value)).slice(0, '2026-01-31T12:00:00'.length);
}

/** A collection's members as the query of a list, whose times are UTC. */
export async function queryOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const query = await apiFields(item, item.fields(path));
  return 'after' in query || 'before' in query ? { ...query, dates_are_gmt: true } : query;
}
