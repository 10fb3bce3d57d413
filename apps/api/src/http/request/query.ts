import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { knownFields, type TSchema } from '@sluice/contract';
import { invalidRequest, type JsonObject, type JsonValue, ValidationError } from '@sluice/domain';
import { findJsonFault } from '../json/find-json-fault.ts';
import { percentDecode } from './percent-decode.ts';

type Converter = (text: string) => string | number | boolean;

/** Text that cannot be converted stays text, and the schema rejects it. */
const converters: Record<string, Converter> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
};

/**
 * Converts the query parameters of `schema` to their types and drops all others. Throws
 * `ValidationError` for a known parameter that appears more than once, and for a known name with
 * brackets (`limit[]`), which would otherwise be dropped.
 */
export function convertQuery(schema: TSchema, query: Readonly<Record<string, unknown>>): JsonObject {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  for (const name of Object.keys(query)) refuseBrackets(name, properties);
  const converted: JsonObject = {};
  for (const [name, { type = 'string' }] of Object.entries(properties)) {
    if (!Object.hasOwn(query, name)) continue;
    const value = query[name];
    if (typeof value !== 'string') throw invalidRequest(`/${name}`, 'appears more than once');
    converted[name] = converters[type]?.(value) ?? value;
  }
  return converted;
}

function refuseBrackets(parameter: string, parameters: object): void {
  const [name = ''] = parameter.split('[', 1);
  if (name === parameter || Object.hasOwn(parameters, parameter) || !Object.hasOwn(parameters, name)) return;
  const fields = Object.keys(parameters).filter((other) => other.startsWith(`${name}[`));
  throw invalidRequest(
    `/${name}`,
    fields.length > 0
      ? knownFields(fields.map((field) => field.slice(name.length + 1, -1)))
      : 'takes one value, without brackets after its name',
  );
}

/** Maps each name to its value or its list of values. */
export function parseFlatQuery(text: string): Record<string, string | string[] | undefined> {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** Throws `ValidationError` for a query that is not UTF-8: decoding would change it. */
export function requireTextQuery(url: string): void {
  const start = url.indexOf('?');
  // Node passes bytes that are not escaped as Latin-1 characters.
  if (start >= 0 && !isUtf8(percentDecode(Buffer.from(url.slice(start), 'latin1'))))
    throw new ValidationError('the query is not valid UTF-8', '');
}

/** Maximum nesting depth of a parameter. */
const maxDepth = 10;

/** Parses a query parameter that contains JSON. Throws `ValidationError`. */
export function readJsonParameter(name: string, text: string): JsonValue {
  const invalid = (message: string) => invalidRequest(`/${name}`, message);
  const jsonFault = findJsonFault(Buffer.from(text), { maxDepth, uniqueKeys: true });
  if (jsonFault?.fault === 'repeated key') throw invalid('must name each key once');
  if (jsonFault?.fault === 'number out of range') throw invalidRequest(`/${name}${jsonFault.path ?? ''}`, 'is out of range');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('must be a JSON object');
  }
}
