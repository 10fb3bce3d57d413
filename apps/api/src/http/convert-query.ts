import { knownFields, type TSchema } from '@sluice/contract';
import { invalidRequest, type JsonObject } from '@sluice/domain';

type Converter = (text: string) => string | number | boolean;

/** Text that cannot be converted stays text, and the schema rejects it. */
const converters: Record<string, Converter> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
};

/**
 * Converts the query parameters of `schema` to their types and drops all others. Throws
 * `ValidationError` for a known parameter that is given more than once, and for a known name with
 * brackets (`limit[]`), which would otherwise be dropped.
 */
export function convertQuery(schema: TSchema, query: Readonly<Record<string, unknown>>): JsonObject {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  for (const name of Object.keys(query)) refuseBrackets(name, properties);
  const converted: JsonObject = {};
  for (const [name, { type = 'string' }] of Object.entries(properties)) {
    if (!Object.hasOwn(query, name)) continue;
    const value = query[name];
    if (typeof value !== 'string') throw invalidRequest(`/${name}`, 'is given more than once');
    converted[name] = converters[type]?.(value) ?? value;
  }
  return converted;
}

function refuseBrackets(parameter: string, known: object): void {
  const [name = ''] = parameter.split('[', 1);
  if (name === parameter || Object.hasOwn(known, parameter) || !Object.hasOwn(known, name)) return;
  const fields = Object.keys(known).filter((other) => other.startsWith(`${name}[`));
  throw invalidRequest(
    `/${name}`,
    fields.length > 0
      ? knownFields(fields.map((field) => field.slice(name.length + 1, -1)))
      : 'takes one value, without brackets after its name',
  );
}
