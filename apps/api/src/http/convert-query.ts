import type { TSchema } from '@sluice/contract';
import type { JsonObject } from '@sluice/domain';

type Converter = (text: string) => string | number | boolean;

/** Text that does not convert stays text, and the schema then says what is wrong with it. */
const converters: Record<string, Converter> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
};

/** Gives the query parameters that `schema` names the types it names; others are left out. Repeated ones stay arrays. */
export function convertQuery(schema: TSchema, query: Readonly<Record<string, unknown>>): JsonObject {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  const converted: JsonObject = {};
  for (const [name, { type = 'string' }] of Object.entries(properties)) {
    if (!Object.hasOwn(query, name)) continue;
    const value = query[name];
    converted[name] = typeof value === 'string' ? (converters[type]?.(value) ?? value) : (value as string[]);
  }
  return converted;
}
