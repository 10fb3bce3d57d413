import { invalidRequest, type JsonValue } from '@sluice/domain';
import { findJsonFault } from './find-json-fault.ts';

/** Maximum nesting depth of a parameter. */
const maxDepth = 10;

/** Parses a query parameter that contains JSON. Throws `ValidationError`. */
export function readJsonParameter(name: string, text: string): JsonValue {
  const invalid = (message: string) => invalidRequest(`/${name}`, message);
  const found = findJsonFault(Buffer.from(text), { maxDepth, uniqueKeys: true });
  if (found?.fault === 'repeated key') throw invalid('must name each key once');
  if (found?.fault === 'number out of range') throw invalidRequest(`/${name}${found.path ?? ''}`, 'is out of range');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('must be a JSON object');
  }
}
