import { type AssignmentType, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import JSON5 from 'json5';
import { stringOf } from './coerced-text.ts';

/**
 * Converts a value to another type without loss: `"5"` to a number, `"[1]"` to a list, any value to
 * a string. `undefined` if it cannot be converted. Blank text is not a number. Text to be converted
 * to an object may be JSON5 of up to 256 KiB; text to be converted to a list may be JSON with
 * single quotes.
 */
export function convertValue(value: JsonValue, type: AssignmentType): JsonValue | undefined {
  switch (type) {
    case 'string':
      return toText(value);
    case 'number':
      return toNumber(value);
    case 'boolean':
      return toBoolean(value);
    case 'array':
      return Array.isArray(value) ? value : listFromText(value);
    case 'object':
      return isJsonObject(value) ? value : objectFromText(value);
  }
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (Array.isArray(value)) return fromList(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

/**
 * As in JavaScript: a list that contains only a number, or its text, equals that number; an empty
 * list is 0.
 */
function fromList([first, ...more]: JsonValue[]): number | undefined {
  if (more.length > 0 || typeof first === 'boolean') return undefined;
  return first === undefined || first === null || first === '' ? 0 : toNumber(first);
}

/** `true` and `false` in any case, and values that equal 1 or 0 as numbers. */
function toBoolean(value: JsonValue): boolean | undefined {
  // An object is not converted to text: its `toString` may be data.
  const text = typeof value === 'object' ? '' : stringOf(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  const number = toNumber(value);
  return number === 0 || number === 1 ? number === 1 : undefined;
}

function listFromText(value: JsonValue): JsonValue[] | undefined {
  if (typeof value !== 'string') return undefined;
  const list = parsed(JSON.parse, value) ?? parsed(JSON.parse, value.replaceAll("'", '"'));
  return Array.isArray(list) ? list : undefined;
}

/** Maximum length of JSON5 text in characters: about 80 ms, 25 times as long as JSON takes. */
const maxJson5 = 256 * 1024;

/** The text `null` is null. */
function objectFromText(value: JsonValue): JsonObject | null | undefined {
  if (typeof value !== 'string') return undefined;
  const object = parsed(JSON.parse, value) ?? (value.length <= maxJson5 ? parsed(JSON5.parse, value) : undefined);
  return isJsonObject(object) || object === null ? object : undefined;
}

function parsed(parse: (text: string) => unknown, text: string): JsonValue | undefined {
  try {
    return parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
