import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { UserError } from './errors.ts';

/** Whether a value has a field type, and its converted value. */
export function validateFieldType(
  fieldName: string,
  value: unknown,
  type: string,
  { valueOptions = [] }: { valueOptions?: readonly { value: JsonValue }[] } = {},
): { valid: boolean; newValue?: unknown; errorMessage?: string } {
  if (value === undefined || value === null) return { valid: true };
  try {
    return { valid: true, newValue: fieldValue(value, type, valueOptions) };
  } catch (error) {
    return { valid: false, errorMessage: `'${fieldName}' expects a ${type}: ${(error as Error).message}` };
  }
}

function fieldValue(value: unknown, type: string, options: readonly { value: JsonValue }[]): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'number':
      return tryToParseNumber(value);
    case 'boolean':
      return truth(value);
    case 'dateTime':
      return tryToParseDateTime(value);
    case 'object':
    case 'array': {
      const parsed = typeof value === 'string' ? parsedJson(value) : value;
      if (type === 'array' ? Array.isArray(parsed) : isJsonObject(parsed)) return parsed;
      throw new UserError('of another type');
    }
    case 'options':
      if (options.some((option) => option.value === value)) return value;
      throw new UserError('not one of the options');
    case 'url':
      return tryToParseUrl(value);
    default:
      return value;
  }
}

function truth(value: unknown): boolean {
  if (/^(true|1)$/i.test(String(value))) return true;
  if (/^(false|0)$/i.test(String(value))) return false;
  throw new UserError('not a boolean');
}

/** An absolute URL; `https://` is prepended if the protocol is missing. Throws `UserError`. */
export function tryToParseUrl(value: unknown): string {
  const text = String(value).trim();
  const address = text !== '' && !text.includes('://') ? `https://${text}` : text;
  const url = URL.parse(address);
  if (url && /^(https?|ftp|wss?):$/.test(url.protocol) && url.hostname.includes('.')) return address;
  throw new UserError(`The value "${text}" is not a valid url.`);
}

export function tryToParseNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return number;
  throw new UserError(`"${String(value)}" is not a number`);
}

/** A `Date`; throws `UserError` for an invalid date. */
export function tryToParseDateTime(value: unknown): Date {
  const seconds = typeof value === 'number' && Math.abs(value) < 1e11 ? value * 1000 : value;
  const date = value instanceof Date ? value : new Date(seconds as string | number);
  if (!Number.isNaN(date.getTime())) return date;
  throw new UserError(`"${String(value)}" is not a date`);
}

/** Form fields parsed from JSON: an array of objects. */
export function tryToParseJsonToFormFields(value: unknown): JsonObject[] {
  const fields = typeof value === 'string' ? parsedJson(value) : value;
  const list = Array.isArray(fields) ? fields : [fields];
  if (list.every(isJsonObject)) return list;
  throw new UserError('form fields must be a list of objects');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError('form fields are not valid JSON', { cause: error });
  }
}
