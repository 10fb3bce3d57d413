import { isJsonObject, type JsonObject } from '@sluice/domain';

/** Where exports keep workflows: in a list of a database's dump, or in the wrapper of a template. */
const wrappers = ['workflow', 'workflows', 'data'] as const;
const maxWrappers = 3;

/**
 * The workflows that a file's text holds: one, a list of them, or either inside what templates and API answers wrap around them.
 * Throws an error that says why the text is none of it.
 */
export function workflowDocuments(text: string): JsonObject[] {
  const found = unwrapped(parse(text.replace(/^\uFEFF/, '')), maxWrappers);
  if (found.length === 0) throw new Error('it holds no workflow');
  return found;
}

function unwrapped(value: unknown, depth: number): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((entry) => unwrapped(entry, depth));
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value['nodes'])) return [value];
  return depth === 0 ? [] : wrappers.flatMap((name) => unwrapped(value[name], depth - 1));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not valid JSON');
  }
}
