import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND', 'Check base and table, and that the token has access to the base'],
  ['INVALID_FILTER_BY_FORMULA', 'Check the formula: names of fields are in braces, such as {Name}'],
  ['INVALID_VALUE_FOR_COLUMN', 'Check the value, or switch on "Typecast", with which Airtable converts text'],
  ['UNKNOWN_FIELD_NAME', 'Check the names of the fields: the table has no such field'],
  ['INVALID_MULTIPLE_CHOICE_OPTIONS', 'Choose an existing option, or switch on "Typecast", with which Airtable adds it'],
  ['AUTHENTICATION_REQUIRED', 'Check the token of the credential'],
]);

/**
 * Airtable rejects all requests for this long after too many:
 * https://airtable.com/developers/web/api/rate-limits
 */
const pauseMs = 30_000;

/** https://airtable.com/developers/web/api */
export const airtableClient = new ApiClient({
  service: 'Airtable',
  credentialType: airtableCredential,
  baseUrl: 'https://api.airtable.com/v0',
  refusalOf({ status, body }) {
    const error = objectOf(body)['error'];
    const type = isJsonObject(error) ? error['type'] : error;
    const message = objectOf(error)['message'];
    return {
      ...(typeof type === 'string' && { code: type, hint: hints.get(type) }),
      ...(typeof message === 'string' && { text: message }),
      ...(status === 429 && { retryAfterMs: pauseMs }),
    };
  },
});

/** The value of `authentication` is the credential type; without a value, the version decides. */
function airtableCredential({ parameter, typeVersion }: ApiAccess): string {
  const chosen = parameter<string>('authentication', typeVersion === 1 ? 'airtableApi' : 'airtableTokenApi');
  return ['airtableApi', 'airtableOAuth2Api'].includes(chosen) ? chosen : 'airtableTokenApi';
}

export const pagesOf = (list: string) => cursorPaging(list, 'offset', 'offset');

/** Path of a table, or of a record in it. */
export function tablePath(base: string, table: string, record?: string): string {
  return `/${[base, table, ...(record === undefined ? [] : [record])].map(encodeURIComponent).join('/')}`;
}

/** Query parameters of a sort order. */
export function sortQuery(fields: readonly JsonObject[]): Record<string, JsonValue> {
  return Object.fromEntries(
    fields.flatMap(({ field = '', direction = 'asc' }, index) => [
      [`sort[${index}][field]`, field],
      [`sort[${index}][direction]`, direction],
    ]),
  );
}

/** A record with its fields alongside its ID. */
export function flat({ id = null, createdTime = null, fields = {} }: JsonObject): JsonObject {
  return { id, createdTime, ...(isJsonObject(fields) && fields) };
}

/** A formula that is true for records with these values. */
export function equals(values: Readonly<JsonObject>): string {
  const conditions = Object.entries(values).map(([name, value]) => `${escapedField(name)}=${literal(value)}`);
  return conditions.length === 1 ? conditions.join() : `AND(${conditions.join(',')})`;
}

/** A field in a formula. */
export const escapedField = (name: string): string => `{${escaped(name, /[\\}]/g)}}`;

function literal(value: JsonValue): string {
  if (typeof value === 'number') return asText(value);
  if (typeof value === 'boolean') return value ? 'TRUE()' : 'FALSE()';
  const line = escaped(asText(value), /[\\']/g).replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return `'${line}'`;
}

function escaped(text: string, special: RegExp): string {
  return text.replace(special, (character) => `\\${character}`);
}
