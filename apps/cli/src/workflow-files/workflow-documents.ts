import { isJsonObject, type JsonObject } from '@sluice/domain';

/** Where exports keep workflows: in a list of a database dump, or in the wrapper of a template. */
const wrappers = ['workflow', 'workflows', 'data'] as const;
const maxWrappers = 3;

/**
 * The workflows in a file's text: one, a list, or either inside the wrapper of a template or an API
 * response. Throws an error with the reason if there is none.
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
