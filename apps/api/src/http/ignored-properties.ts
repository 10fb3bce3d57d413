import type { RunWarning, TSchema } from '@sluice/contract';

const maxWarnings = 20;
const maxNameLength = 128;

/**
 * Properties of a body that the endpoint does not know and ignores (Contract 1.4). For bodies that are not
 * resources which a client read before and sends back.
 */
export function ignoredProperties(schema: TSchema, body: object): { warnings?: RunWarning[] } {
  const known = Object.keys((schema as { properties?: object }).properties ?? {});
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  const message = `is not a property of this request and was ignored; its properties are ${known.join(', ')}`;
  const warnings = unknown
    .slice(0, maxWarnings)
    .map((name) => ({ code: 'UNKNOWN_PROPERTY', path: `/${name.slice(0, maxNameLength)}`, message }));
  return warnings.length > 0 ? { warnings } : {};
}
