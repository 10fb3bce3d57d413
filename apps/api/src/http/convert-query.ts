import type { TSchema } from '@sluice/contract';
import { type JsonObject, ValidationError } from '@sluice/domain';

type Converter = (text: string) => string | number | boolean;

/** Text that does not convert stays text, and the schema then says what is wrong with it. */
const converters: Record<string, Converter> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
};

/**
 * Gives the query parameters that `schema` names the types it names; others are left out. Repeated ones stay arrays. Throws
 * `ValidationError` for a known one with brackets behind its name: somebody means a list or an object.
 */
export function convertQuery(schema: TSchema, query: Readonly<Record<string, unknown>>): JsonObject {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  for (const given of Object.keys(query)) refuseBrackets(given, properties);
  const converted: JsonObject = {};
  for (const [name, { type = 'string' }] of Object.entries(properties)) {
    if (!Object.hasOwn(query, name)) continue;
    const value = query[name];
    converted[name] = typeof value === 'string' ? (converters[type]?.(value) ?? value) : (value as string[]);
  }
  return converted;
}

function refuseBrackets(given: string, known: object): void {
  const [name = ''] = given.split('[', 1);
  if (name === given || Object.hasOwn(known, given) || !Object.hasOwn(known, name)) return;
  const message = 'takes one value, without brackets behind its name';
  throw new ValidationError('the request is not valid', [{ path: `/${name}`, message }]);
}
